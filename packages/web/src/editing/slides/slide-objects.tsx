// The shapes and pictures of the slide that is edited: frames over the slide by which they are moved, sized and removed.

import { pictureTypes } from '@cloudoc/office/document'
import { type ShapeBox, type ShapeForm, type SlideChange, type SlideObject } from '@cloudoc/office/presentation'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { IconButton } from '../../kit/button.tsx'
import { ArrowMove20Regular, Delete20Regular, Image20Regular, Shapes20Regular } from '../../kit/icons.ts'
import { readPictures } from '../shared/read-pictures.ts'

interface ShapeToolsProps {
  readonly at: number
  readonly page: { readonly width: number; readonly height: number }
  readonly selected: number | undefined
  readonly heaviest: number
  readonly restructure: (change: SlideChange, show: number) => void
}

const forms: readonly ShapeForm[] = ['text', 'rect', 'roundRect', 'ellipse', 'triangle', 'rightArrow', 'star5', 'line']

/** A box in the middle of a page. */
function middleOf(page: ShapeToolsProps['page'], width: number, height: number): ShapeBox {
  return { x: (page.width - width) / 2, y: (page.height - height) / 2, width, height }
}

/** Buttons that insert shapes and pictures and remove the selected one. */
export function ShapeTools({ at, page, selected, heaviest, restructure }: ShapeToolsProps): ReactNode {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const add = (form: ShapeForm): void => {
    const wide = page.width / 4
    const box = middleOf(
      page,
      form === 'text' ? page.width / 2 : wide,
      form === 'text' ? 48 : form === 'line' ? 0 : wide * 0.6,
    )
    restructure({ kind: 'addShape', at, form, box, text: form === 'line' ? '' : say('editor.slides.newText') }, at)
  }
  const insert = async (files: readonly File[]): Promise<void> => {
    const [file] = files
    const [picture] = await readPictures(files.slice(0, 1), heaviest)
    if (file === undefined || picture === undefined) return
    const fit = Math.min(1, (page.width * 0.6) / picture.width, (page.height * 0.6) / picture.height)
    const box = middleOf(page, picture.width * fit, picture.height * fit)
    restructure({ kind: 'addPicture', at, data: picture.data, box, text: file.name }, at)
  }
  return (
    <div className="sl-shape-tools" role="toolbar" aria-label={t('editor.slides.shapes')}>
      <IconButton
        label={t('editor.slides.shape')}
        icon={<Shapes20Regular />}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          const entries = forms.map((form) => ({
            id: form,
            label: t(`editor.slides.form.${form}`),
            run: () => add(form),
          }))
          void showMenu(entries, { x: left, y: bottom })
        }}
      />
      <IconButton label={t('editor.doc.picture')} icon={<Image20Regular />} onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        hidden
        accept={[...pictureTypes, 'image/webp', 'image/bmp'].join(',')}
        aria-label={t('editor.doc.picture')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          insert(files).catch(() => notifyFailure(say('editor.doc.picture.broken')))
        }}
      />
      <IconButton
        label={t('editor.slides.shape.remove')}
        hint="Delete"
        icon={<Delete20Regular />}
        disabled={selected === undefined}
        onClick={() => selected !== undefined && restructure({ kind: 'removeShape', at, shape: selected }, at)}
      />
    </div>
  )
}

interface SlideObjectsProps {
  readonly objects: readonly SlideObject[]
  readonly scale: number
  readonly selected: number | undefined
  readonly onSelect: (shape: number) => void
  readonly onPlace: (shape: number, box: ShapeBox) => void
  readonly onRemove: (shape: number) => void
}

/** The frames of all shapes of a slide. */
export function SlideObjects({ objects, selected, ...rest }: SlideObjectsProps): ReactNode {
  return objects.map((object) => (
    <ObjectFrame key={object.shape} object={object} isSelected={object.shape === selected} {...rest} />
  ))
}

const [keyStep, leastSize] = [8, 8]
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
}

interface Drag {
  readonly isSizing: boolean
  readonly fromX: number
  readonly fromY: number
}

function ObjectFrame({
  object: { shape, kind, box, turn, isMovable },
  isSelected,
  scale,
  onSelect,
  onPlace,
  onRemove,
}: Omit<SlideObjectsProps, 'objects' | 'selected'> & {
  readonly object: SlideObject
  readonly isSelected: boolean
}): ReactNode {
  const t = useT()
  const drag = useRef<Drag | undefined>(undefined)
  // Until the change has been made, the frame stays where it was dragged to.
  const [dragged, setDragged] = useState<{ readonly from: ShapeBox; readonly to: ShapeBox }>()
  const shown = isSelected && dragged?.from === box ? dragged.to : box
  const changed = (isSizing: boolean, across: number, down: number): ShapeBox =>
    isSizing
      ? { ...box, width: Math.max(leastSize, box.width + across), height: Math.max(leastSize, box.height + down) }
      : { ...box, x: box.x + across, y: box.y + down }
  const start = (isSizing: boolean) => (event: PointerEvent<HTMLElement>) => {
    onSelect(shape)
    if (!isMovable || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { isSizing, fromX: event.clientX, fromY: event.clientY }
  }
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    const { current } = drag
    if (current === undefined) return
    const to = changed(current.isSizing, (clientX - current.fromX) / scale, (clientY - current.fromY) / scale)
    setDragged({ from: box, to })
  }
  const end = ({ clientX, clientY }: PointerEvent): void => {
    const { current } = drag
    drag.current = undefined
    if (current === undefined) return
    const [across, down] = [clientX - current.fromX, clientY - current.fromY]
    if (Math.abs(across) + Math.abs(down) < 3) setDragged(undefined)
    else onPlace(shape, changed(current.isSizing, across / scale, down / scale))
  }
  const cancel = (): void => {
    drag.current = undefined
    setDragged(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = arrows[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove(shape)
    else if (step !== undefined && isMovable) onPlace(shape, changed(event.shiftKey, ...step))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const dragging = { onPointerMove: follow, onPointerUp: end, onPointerCancel: cancel }
  return (
    <div
      className={isSelected ? 'sl-object is-selected' : 'sl-object'}
      style={{
        insetInlineStart: shown.x * scale,
        insetBlockStart: shown.y * scale,
        width: shown.width * scale,
        height: shown.height * scale,
        transform: turn === 0 ? undefined : `rotate(${turn}deg)`,
      }}
    >
      <button
        type="button"
        className="sl-grip"
        aria-pressed={isSelected}
        aria-label={t(`editor.slides.object.${kind}`, { n: shape + 1 })}
        data-tip={t(isMovable ? 'editor.slides.object.how' : 'editor.slides.object.fixed')}
        onFocus={() => onSelect(shape)}
        onPointerDown={start(false)}
        {...dragging}
        onKeyDown={onKeyDown}
      >
        <ArrowMove20Regular />
      </button>
      {isSelected && isMovable && <span className="sl-sizer" onPointerDown={start(true)} {...dragging} />}
    </div>
  )
}
