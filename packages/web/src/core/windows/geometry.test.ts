import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cascade, centred, clamp, edges, fit, type Place, resize, type Size, within } from './geometry.ts'

const laptop: Size = { width: 1366, height: 625 }
const viewports = fc.record({ width: fc.integer({ min: 480, max: 2560 }), height: fc.integer({ min: 400, max: 1440 }) })
const sizes = fc.record({ width: fc.integer({ min: 100, max: 2000 }), height: fc.integer({ min: 100, max: 2000 }) })
const points = fc.record({ x: fc.integer({ min: -3000, max: 3000 }), y: fc.integer({ min: -3000, max: 3000 }) })

describe('the place of a window', () => {
  it('keeps 16 px free around a dialog that is larger than the page, so its buttons stay in reach', () => {
    expect(centred({ width: 1030, height: 690 }, laptop)).toEqual({ left: 168, top: 16, width: 1030, height: 593 })
  })

  it('keeps its title bar in reach wherever it is dragged: 80 px of it across, all 40 px down', () => {
    fc.assert(
      fc.property(sizes, points, viewports, (size, { x, y }, viewport) => {
        const place = clamp({ left: x, top: y, ...size }, viewport)
        expect(Math.min(place.left + place.width, viewport.width) - Math.max(place.left, 0)).toBeGreaterThanOrEqual(
          Math.min(80, place.width),
        )
        expect(place.top).toBeGreaterThanOrEqual(0)
        expect(place.top + 40).toBeLessThanOrEqual(viewport.height)
      }),
    )
  })

  it('is all on the page again when the page became smaller, with its buttons', () => {
    fc.assert(
      fc.property(sizes, points, viewports, (size, { x, y }, viewport) => {
        const place = within({ left: x, top: y, ...size }, viewport)
        expect(place.left).toBeGreaterThanOrEqual(0)
        expect(place.top).toBeGreaterThanOrEqual(0)
        expect(place.left + place.width).toBeLessThanOrEqual(viewport.width)
        expect(place.top + place.height).toBeLessThanOrEqual(viewport.height)
        expect(place.width).toBe(Math.min(size.width, viewport.width))
      }),
    )
  })

  it('shifts by 24 px for each window it would hide', () => {
    const first = centred({ width: 550, height: 480 }, laptop)
    const second = cascade(first, [first], laptop)
    expect(second).toEqual({ ...first, left: first.left + 24, top: first.top + 24 })
    expect(cascade(first, [first, second], laptop)).toEqual({ ...first, left: first.left + 48, top: first.top + 48 })
  })
})

describe('pulling an edge', () => {
  const least: Size = { width: 350, height: 250 }

  it('moves that edge alone, never below the least size or out of the page [R070] [X2]', () => {
    fc.assert(
      fc.property(fc.constantFrom(...edges), points, viewports, (edge, by, viewport) => {
        const from: Place = centred({ width: 550, height: 380 }, viewport)
        const to = resize(from, { edge, by, least, viewport })
        const min = fit(least, viewport)
        expect(to.width).toBeGreaterThanOrEqual(min.width)
        expect(to.height).toBeGreaterThanOrEqual(min.height)
        expect(to.left).toBeGreaterThanOrEqual(0)
        expect(to.top).toBeGreaterThanOrEqual(0)
        expect(to.left + to.width).toBeLessThanOrEqual(viewport.width)
        expect(to.top + to.height).toBeLessThanOrEqual(viewport.height)
        if (!edge.includes('w')) expect(to.left).toBe(from.left)
        if (!edge.includes('e')) expect(to.left + to.width).toBe(from.left + from.width)
        if (!edge.includes('n')) expect(to.top).toBe(from.top)
        if (!edge.includes('s')) expect(to.top + to.height).toBe(from.top + from.height)
      }),
    )
  })
})
