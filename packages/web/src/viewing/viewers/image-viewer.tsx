// The image viewer: fits the image to the window, zooms with the wheel or two fingers towards the pointer, drags an
// image that is larger than the window, and rotates.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useGestureZoom } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { type Zoom, zoomFactor } from '../shared/zoom.ts'

interface ImageViewerProps {
  readonly url: string
  readonly name: string
  /** The maximum zoom of a fitted image: 1 for bitmaps, more for vector images. */
  readonly mostFit: number
  /** Receives the size of the image. */
  readonly onSize?: ((size: { readonly width: number; readonly height: number }) => void) | undefined
  readonly onFail: () => void
}

/** Renders an image. */
export function ImageViewer({ url, name, mostFit, onSize, onFail }: ImageViewerProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [natural, setNatural] = useState({ width: 0, height: 0 })
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [turn, setTurn] = useState(0)
  const turned = turn % 180 === 0 ? natural : { width: natural.height, height: natural.width }
  const factor = zoomFactor(zoom, turned, { width: room.width - 64, height: room.height - 64 }, mostFit)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const zoomTo = useGestureZoom(box, factor, setZoom, true)

  const drag = useRef<{ x: number; y: number } | undefined>(undefined)
  return (
    <>
      <div
        className="pv-scroll pv-image"
        ref={box}
        onPointerDown={(event) => {
          if (event.button !== 0 || !event.isPrimary) return
          event.preventDefault()
          drag.current = { x: event.clientX, y: event.clientY }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          if (drag.current === undefined || !event.isPrimary) return
          event.currentTarget.scrollLeft -= event.clientX - drag.current.x
          event.currentTarget.scrollTop -= event.clientY - drag.current.y
          drag.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerUp={() => {
          drag.current = undefined
        }}
        onPointerCancel={() => {
          drag.current = undefined
        }}
        onDoubleClick={() => setZoom(zoom === 'fit' ? 1 : 'fit')}
      >
        <div className="pv-canvas" style={{ width: turned.width * factor, height: turned.height * factor }}>
          <img
            src={url}
            alt={name}
            draggable={false}
            style={{
              width: natural.width * factor || undefined,
              height: natural.height * factor || undefined,
              transform: `translate(-50%, -50%) rotate(${turn}deg)`,
              visibility: natural.width === 0 ? 'hidden' : 'visible',
            }}
            onLoad={({ currentTarget: image }) => {
              // An SVG without an intrinsic size reports none.
              setNatural({ width: image.naturalWidth || 800, height: image.naturalHeight || 600 })
              if (image.naturalWidth > 0) onSize?.({ width: image.naturalWidth, height: image.naturalHeight })
            }}
            onError={onFail}
          />
        </div>
      </div>
      <PageBar zoom={zoom} percent={factor} onZoom={zoomTo} onTurn={() => setTurn((turn + 90) % 360)} />
    </>
  )
}
