// Making a signature: drawn by hand, typed in a Chinese face, or a photo without its paper.

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { ArrowUndo16Regular, Delete16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { inkOf, pngOf, typedFace, writtenName } from './ink.ts'
import './setting.css'

const inks = { black: '#1b1f27', blue: '#1e3a8a' } as const
export type Ink = keyof typeof inks
const widths = { thin: [0.8, 1.8], medium: [1.4, 3.2], thick: [2.4, 5] } as const
type Width = keyof typeof widths

/** The address of a picture. */
export const source = (base64: string): string => `data:image/png;base64,${base64}`

/** The choice of a colour of ink. */
export function Inks({ ink, onChange }: { readonly ink: Ink; readonly onChange: (ink: Ink) => void }): ReactNode {
  const t = useT()
  return (
    <div className="sg-inks" role="radiogroup" aria-label={t('sign.setting.ink')}>
      {(Object.keys(inks) as Ink[]).map((one) => (
        <button
          key={one}
          type="button"
          role="radio"
          aria-checked={ink === one}
          aria-label={t(`sign.setting.${one}`)}
          style={{ background: inks[one] }}
          onClick={() => onChange(one)}
        />
      ))}
    </div>
  )
}

export interface MakeProps {
  readonly onMade: (make: (() => Promise<string | undefined>) | undefined) => void
}

/** A pad to draw on by pen, finger or mouse. Turning a phone keeps the strokes. */
export function Drawn({ ink, onMade }: MakeProps & { readonly ink: Ink }): ReactNode {
  const t = useT()
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(undefined)
  const [width, setWidth] = useState<Width>('medium')
  const tell = (isEmpty: boolean): void => {
    const element = canvas.current
    onMade(isEmpty || element === null ? undefined : () => Promise.resolve(pngOf(element)))
  }
  const told = useEffectEvent(tell)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    const made = new SignaturePad(element)
    pad.current = made
    const fit = (): void => {
      const dense = Math.max(1, window.devicePixelRatio)
      const strokes = made.toData()
      element.width = element.offsetWidth * dense
      element.height = element.offsetHeight * dense
      element.getContext('2d')?.scale(dense, dense)
      made.fromData(strokes)
    }
    fit()
    const end = (): void => told(made.isEmpty())
    made.addEventListener('endStroke', end)
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.off()
    }
  }, [])
  useEffect(() => {
    const made = pad.current
    if (made === undefined) return
    made.penColor = inks[ink]
    const [least, most] = widths[width]
    made.minWidth = least
    made.maxWidth = most
  }, [ink, width])
  const undo = (): void => {
    const made = pad.current
    if (made === undefined) return
    made.fromData(made.toData().slice(0, -1))
    tell(made.toData().length === 0)
  }
  return (
    <>
      <canvas
        ref={canvas}
        className="sg-pad"
        tabIndex={0}
        aria-label={t('sign.setting.pad')}
        onKeyDown={(event) => {
          if (event.key === 'z' && (event.ctrlKey || event.metaKey)) undo()
        }}
      />
      <div className="sg-pad-tools">
        <Select
          label={t('sign.setting.width')}
          size="small"
          value={width}
          options={(Object.keys(widths) as Width[]).map((one) => ({ value: one, label: t(`sign.setting.${one}`) }))}
          onChange={setWidth}
        />
        <Button
          size="small"
          icon={<Delete16Regular />}
          onClick={() => {
            pad.current?.clear()
            tell(true)
          }}
        >
          {t('sign.setting.clear')}
        </Button>
        <Button size="small" icon={<ArrowUndo16Regular />} onClick={undo}>
          {t('sign.setting.undo')}
        </Button>
      </div>
    </>
  )
}

/** A name in a real Chinese face (X72). */
export function Typed({ ink, name, onMade }: MakeProps & { readonly ink: Ink; readonly name: string }): ReactNode {
  const t = useT()
  const [typed, setTyped] = useState(name)
  const told = useEffectEvent(() => {
    const words = typed.trim()
    onMade(words === '' ? undefined : async () => pngOf(await writtenName(words, inks[ink])))
  })
  useEffect(() => told(), [typed, ink])
  return (
    <>
      <TextField
        label={t('sign.setting.typedName')}
        value={typed}
        maxLength={20}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div
        className="sg-typed"
        style={{ color: inks[ink], fontFamily: `"${typedFace}", sans-serif` }}
        aria-hidden="true"
      >
        {typed}
      </div>
    </>
  )
}

/** A photo or scan whose paper is removed. */
export function Picture({ onMade }: MakeProps): ReactNode {
  const t = useT()
  const [shown, setShown] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File): Promise<void> => {
    try {
      const picture = pngOf(await inkOf(file))
      if (picture === undefined) throw new Error('empty')
      setShown(picture)
      onMade(() => Promise.resolve(picture))
    } catch {
      setShown('')
      onMade(undefined)
      toast({ kind: 'error', text: t('sign.setting.badPicture') })
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) void read(file)
          target.value = ''
        }}
      />
      {shown !== '' && <img className="sg-large" alt="" src={source(shown)} />}
      <Button onClick={() => input.current?.click()}>{t('sign.setting.choose')}</Button>
      <p className="sg-note">{t('sign.setting.chooseNote')}</p>
    </>
  )
}
