// @vitest-environment happy-dom
// The frames of shapes over a slide: by keys and by dragging they are placed, sized and removed.
import type { ShapeBox, SlideObject } from '@cloudoc/office/presentation'
import { expect, test } from 'vitest'
import { act, render } from '../../../test/render.tsx'
import { SlideObjects } from './slide-objects.tsx'

const box: ShapeBox = { x: 100, y: 50, width: 200, height: 100 }
const objects: readonly SlideObject[] = [
  { shape: 0, kind: 'shape', box, turn: 0, isMovable: true },
  { shape: 1, kind: 'other', box, turn: 0, isMovable: false },
]

test('[R397] a shape is moved and sized by keys and by dragging, and removed; what cannot be moved is only removed', async () => {
  const placed: [number, ShapeBox][] = []
  const removed: number[] = []
  await render(
    <SlideObjects
      objects={objects}
      scale={0.5}
      selected={0}
      onSelect={() => undefined}
      onPlace={(...one) => placed.push(one)}
      onRemove={(shape) => removed.push(shape)}
    />,
  )
  const [grip, fixed] = document.querySelectorAll<HTMLElement>('.sl-grip')
  const sizer = document.querySelector<HTMLElement>('.sl-sizer')
  if (grip === undefined || fixed === undefined || sizer === null) throw new Error('no handles')
  const press = (of: HTMLElement, key: string, shiftKey = false) =>
    act(async () => of.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })))
  const drag = async (of: HTMLElement, across: number, down: number) => {
    of.setPointerCapture = () => undefined
    for (const [type, x, y] of [
      ['pointerdown', 10, 10],
      ['pointermove', 10 + across, 10 + down],
      ['pointerup', 10 + across, 10 + down],
    ] as const)
      await act(async () =>
        of.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, bubbles: true })),
      )
  }
  await press(grip, 'ArrowRight')
  await press(grip, 'ArrowUp', true)
  await drag(grip, 30, -10)
  await drag(sizer, 20, 10)
  await drag(grip, 1, 1)
  await press(fixed, 'ArrowRight')
  expect(placed).toEqual([
    [0, { ...box, x: 108 }],
    [0, { ...box, height: 92 }],
    [0, { ...box, x: 160, y: 30 }],
    [0, { ...box, width: 240, height: 120 }],
  ])
  await press(grip, 'Delete')
  await press(fixed, 'Delete')
  expect(removed).toEqual([0, 1])
})
