// Crops a picture for the user's avatar ([R350]): drag, zoom and rotate under a round frame. The result is uploaded at
// a small size.
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import '../frame/account.css'

export type CropPictureProps = object

const field = 248
const sent = 256
const previews = [80, 40, 24] as const
const mostBytes = 5 * 1024 * 1024

interface View {
  /** A multiple of the smallest scale that fills the frame. */
  readonly zoom: number
  readonly turns: number
  /** Offset from the centre, as a fraction of the frame. */
  readonly x: number
  readonly y: number
}
const usual: View = { zoom: 1, turns: 0, x: 0, y: 0 }

/** Limits the offset of the picture so that the frame stays filled. */
export function clampView(view: View, picture: { readonly width: number; readonly height: number }): View {
  const least = Math.min(picture.width, picture.height)
  const [w, h] = view.turns % 2 === 0 ? [picture.width, picture.height] : [picture.height, picture.width]
  const room = (side: number): number => ((side / least) * view.zoom - 1) / 2
  const inside = (value: number, most: number): number => Math.min(most, Math.max(-most, value))
  return { ...view, x: inside(view.x, room(w)), y: inside(view.y, room(h)) }
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, turns, x, y }: View): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { width: side } = canvas
  const scale = (side * zoom) / Math.min(picture.width, picture.height)
  context.setTransform(1, 0, 0, 1, 0, 0)
  // Background for transparent pictures.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.translate(side / 2 + x * side, side / 2 + y * side)
  context.rotate((turns * Math.PI) / 2)
  context.scale(scale, scale)
  context.drawImage(picture, -picture.width / 2, -picture.height / 2)
}

export function CropPicture({ close }: WindowProps<CropPictureProps, string>): ReactNode {
  const t = useT()
  const chooser = useRef<HTMLInputElement>(null)
  const shown = useRef<HTMLCanvasElement>(null)
  const small = useRef(new Map<number, HTMLCanvasElement>())
  const from = useRef<{ x: number; y: number; view: View }>(undefined)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [view, setView] = useState(usual)
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (picture === undefined) return
    for (const canvas of [shown.current, ...small.current.values()]) if (canvas) draw(canvas, picture, view)
  }, [picture, view])
  useEffect(() => chooser.current?.click(), [])

  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (!/^image\/(png|jpeg)$/.test(file.type) || file.size > mostBytes) return setProblem(t('crop.only'))
    try {
      setPicture(await createImageBitmap(file))
      setView(usual)
      setProblem(undefined)
    } catch {
      setProblem(t('crop.unreadable'))
    }
  }
  const move = (change: Partial<View>): void => {
    if (picture !== undefined) setView((now) => clampView({ ...now, ...change }, picture))
  }
  const onDrag = (event: PointerEvent): void => {
    const start = from.current
    if (start === undefined) return
    move({ x: start.view.x + (event.clientX - start.x) / field, y: start.view.y + (event.clientY - start.y) / field })
  }
  const use = (): void => {
    if (picture === undefined) return
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = sent
    draw(canvas, picture, view)
    close(canvas.toDataURL('image/jpeg', 0.9).replace(/^[^,]*,/, ''))
  }
  return (
    <>
      <DialogBody>
        <div className="ac-crop">
          <div
            className="ac-crop-field"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              from.current = { x: event.clientX, y: event.clientY, view }
            }}
            onPointerMove={onDrag}
            onPointerUp={() => {
              from.current = undefined
            }}
            onWheel={(event) => move({ zoom: Math.min(4, Math.max(1, view.zoom - event.deltaY / 500)) })}
          >
            <canvas ref={shown} width={field} height={field} />
          </div>
          <div className="ac-crop-side">
            <b>{t('crop.preview')}</b>
            <div className="ac-crop-previews">
              {previews.map((side) => (
                <canvas
                  key={side}
                  width={side}
                  height={side}
                  ref={(canvas) => {
                    if (canvas !== null) small.current.set(side, canvas)
                  }}
                />
              ))}
            </div>
            <label>
              {t('crop.zoom')}
              <input
                type="range"
                min={1}
                max={4}
                step={0.01}
                value={view.zoom}
                disabled={picture === undefined}
                onChange={({ target }) => move({ zoom: target.valueAsNumber })}
              />
            </label>
            <div>
              <Button size="small" onClick={() => move({ turns: (view.turns + 3) % 4 })}>
                {t('crop.left')}
              </Button>
              <Button size="small" onClick={() => move({ turns: (view.turns + 1) % 4 })}>
                {t('crop.right')}
              </Button>
            </div>
          </div>
        </div>
        <p className={`ac-hint${problem === undefined ? '' : ' is-warning'}`} role={problem && 'alert'}>
          {problem ?? t('crop.only')}
        </p>
        <input
          ref={chooser}
          type="file"
          accept="image/png,image/jpeg"
          hidden
          aria-label={t('crop.choose')}
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => chooser.current?.click()}>
          {t(picture === undefined ? 'crop.choose' : 'crop.other')}
        </Button>
        <Button kind="primary" disabled={picture === undefined} onClick={use}>
          {t('crop.use')}
        </Button>
      </DialogFooter>
    </>
  )
}
