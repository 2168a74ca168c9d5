// Step 2 of a launch: the places of the signers on the pages, drawn by mouse, keyboard or touch.
import type { SignFieldKind } from '@cloudoc/domain'
import { signFieldKinds } from '@cloudoc/domain'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular, Copy16Regular, Delete16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type Box, type PageScale, PdfPage, type Rect } from '../pages/pdf-page.tsx'

/** A place of a signer. */
export interface Place extends Rect {
  readonly id: number
  readonly userId: number
  readonly kind: SignFieldKind
  readonly page: number
  /** Whether its picture stands on every page, or in slices across the edges of all pages. */
  readonly spread: Spread
}

export type Spread = 'one' | 'every' | 'edge'

/** Pages that share one picture across their edges, as the server slices it. */
const mostSlices = 20

/** One colour for each signer: those of the kinds of files, which say nothing of a state. */
const colours = ['#0e7490', '#be185d', '#1d4ed8', '#b45309', '#6d28d9', '#15803d', '#b91c1c', '#475569']
export const colourOf = (index: number): string => colours[index % colours.length] ?? '#1d4ed8'

const sizes: Readonly<Record<SignFieldKind, { readonly width: number; readonly height: number }>> = {
  signature: { width: 150, height: 56 },
  seal: { width: 120, height: 120 },
  date: { width: 100, height: 22 },
  text: { width: 160, height: 22 },
}
const least = 12

interface FieldEditorProps {
  readonly pdf: PDFDocumentProxy
  readonly signers: readonly { readonly userId: number; readonly accountName: string }[]
  readonly places: readonly Place[]
  readonly onChange: (places: readonly Place[]) => void
}

export function FieldEditor({ pdf, signers, places, onChange }: FieldEditorProps): ReactNode {
  const t = useT()
  const [page, setPage] = useState(pdf.numPages)
  const [who, setWho] = useState(signers[0]?.userId ?? 0)
  const [kind, setKind] = useState<SignFieldKind>('signature')
  const [chosen, setChosen] = useState(0)
  const add = async (spread: Spread): Promise<void> => {
    // A date or a text is filled in page by page; a picture needs one signature only.
    const onEvery = spread === 'every' && kind !== 'signature' && kind !== 'seal'
    const pages = onEvery ? Array.from({ length: pdf.numPages }, (_, n) => n + 1) : [page]
    const made: Place[] = []
    let id = Math.max(0, ...places.map((one) => one.id))
    for (const number of pages) {
      const { view, rotate } = await pdf.getPage(number)
      const [left = 0, bottom = 0, right = 595] = view
      const { width: wide, height: high } = sizes[kind]
      // On a page that is shown turned, what is wide on the screen is high in the file.
      const [width, height] = rotate % 180 === 0 ? [wide, high] : [high, wide]
      const taken = places.filter((one) => one.page === number && one.spread !== 'edge').length
      const x = onEvery ? right - width - 12 : Math.min(left + 60 + (taken % 3) * 20, right - width)
      const y = bottom + 60 + (spread === 'edge' ? 240 : taken * 30)
      made.push({ id: ++id, userId: who, kind, page: number, x, y, width, height, spread: onEvery ? 'one' : spread })
    }
    onChange([...places, ...made])
    setChosen(id)
  }
  const change = (id: number, rect: Rect): void =>
    onChange(places.map((one) => (one.id === id ? { ...one, ...rect, page } : one)))
  const slices = Math.ceil(pdf.numPages / Math.ceil(pdf.numPages / mostSlices))
  /** A slice at the right edge of the page stands for the whole picture. */
  const toShown = (place: Place, scale: PageScale): Box => {
    const box = scale.toBox(place)
    if (place.spread !== 'edge') return box
    const width = Math.max(least, box.width / slices)
    return { ...box, left: scale.width - width, width }
  }
  const fromShown = (place: Place, box: Box, scale: PageScale): Rect => {
    if (place.spread !== 'edge') return scale.toRect(box)
    const whole = scale.toBox(place)
    return scale.toRect({ ...whole, top: box.top, height: box.height })
  }
  const remove = (id: number): void => onChange(places.filter((one) => one.id !== id))
  return (
    <>
      <div className="sg-place-tools">
        <div className="sg-who" role="radiogroup" aria-label={t('sign.field.who')}>
          {signers.map(({ userId, accountName }, n) => (
            <button
              key={userId}
              type="button"
              role="radio"
              aria-checked={who === userId}
              onClick={() => setWho(userId)}
              style={{ ['--sg-colour' as string]: colourOf(n) }}
            >
              {accountName}
            </button>
          ))}
        </div>
        <Select
          label={t('sign.place.kind')}
          size="small"
          value={kind}
          options={signFieldKinds.map((one) => ({ value: one, label: t(`sign.kind.${one}`) }))}
          onChange={setKind}
        />
        <Button size="small" icon={<Add16Regular />} onClick={() => void add('one')}>
          {t('sign.place.add')}
        </Button>
        <Button size="small" icon={<Copy16Regular />} onClick={() => void add('every')}>
          {t('sign.place.every')}
        </Button>
        {kind === 'seal' && pdf.numPages > 1 && (
          <Button size="small" icon={<Copy16Regular />} onClick={() => void add('edge')}>
            {t('sign.place.edge')}
          </Button>
        )}
        {places.some(({ id }) => id === chosen) && (
          <Button size="small" icon={<Delete16Regular />} onClick={() => remove(chosen)}>
            {t('sign.place.remove')}
          </Button>
        )}
      </div>
      <PdfPage pdf={pdf} number={page} onPage={setPage}>
        {(scale) =>
          places
            .filter((one) => one.page === page || one.spread !== 'one')
            .map((one) => {
              const index = signers.findIndex(({ userId }) => userId === one.userId)
              const name = signers[index]?.accountName ?? ''
              return (
                <PlaceBox
                  key={one.id}
                  label={t('sign.place.of', {
                    name: isolated(name),
                    kind: t(one.spread === 'edge' ? 'sign.place.edge' : `sign.kind.${one.kind}`),
                  })}
                  colour={colourOf(Math.max(0, index))}
                  box={toShown(one, scale)}
                  scale={scale}
                  isChosen={one.id === chosen}
                  onChoose={() => setChosen(one.id)}
                  onChange={(box) => change(one.id, fromShown(one, box, scale))}
                  onRemove={() => remove(one.id)}
                />
              )
            })
        }
      </PdfPage>
    </>
  )
}

interface PlaceBoxProps {
  readonly label: string
  readonly colour: string
  readonly box: Box
  readonly scale: PageScale
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onChange: (box: Box) => void
  readonly onRemove: () => void
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), Math.max(low, high))

function PlaceBox({ label, colour, box, scale, isChosen, onChoose, onChange, onRemove }: PlaceBoxProps): ReactNode {
  const element = useRef<HTMLButtonElement>(null)
  // A new place may be below what is shown of the page.
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const within = (next: Box): Box => {
    const width = clamp(next.width, least, scale.width)
    const height = clamp(next.height, least, scale.height)
    return {
      ...{ width, height },
      left: clamp(next.left, 0, scale.width - width),
      top: clamp(next.top, 0, scale.height - height),
    }
  }
  const drag = (event: PointerEvent<HTMLElement>, resizes: boolean): void => {
    event.preventDefault()
    event.stopPropagation()
    onChoose()
    const target = event.currentTarget
    const from = { x: event.clientX, y: event.clientY }
    target.setPointerCapture(event.pointerId)
    const move = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      const [dx, dy] = [clientX - from.x, clientY - from.y]
      onChange(
        within(
          resizes
            ? { ...box, width: box.width + dx, height: box.height + dy }
            : { ...box, left: box.left + dx, top: box.top + dy },
        ),
      )
    }
    const end = (): void => {
      target.removeEventListener('pointermove', move)
      target.removeEventListener('pointerup', end)
      target.removeEventListener('pointercancel', end)
    }
    target.addEventListener('pointermove', move)
    target.addEventListener('pointerup', end)
    target.addEventListener('pointercancel', end)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove()
      return
    }
    const step = { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4] }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const [dx = 0, dy = 0] = step
    onChange(
      within(
        event.shiftKey
          ? { ...box, width: box.width + dx, height: box.height + dy }
          : { ...box, left: box.left + dx, top: box.top + dy },
      ),
    )
  }
  return (
    <button
      ref={element}
      type="button"
      className="sg-place"
      aria-label={label}
      data-chosen={isChosen || undefined}
      style={{ ...box, ['--sg-colour' as string]: colour }}
      onPointerDown={(event) => drag(event, false)}
      onFocus={onChoose}
      onKeyDown={onKey}
    >
      <span aria-hidden="true">{label}</span>
      <i aria-hidden="true" onPointerDown={(event) => drag(event, true)} />
    </button>
  )
}
