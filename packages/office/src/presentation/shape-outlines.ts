/*
 * The outlines of shapes as SVG paths in the pixels of their box: the preset shapes of the office formats (ECMA-376 part
 * 1, presetShapeDefinitions) that have straight sides, and freeforms.
 */
import { child, children, type Element, numberAt } from '../package/index.ts'

type Point = readonly [x: number, y: number]

interface Box {
  readonly width: number
  readonly height: number
  /** The shorter side. */
  readonly side: number
  /** An adjustment of the shape as a share, by its name. */
  readonly adjusted: (name: string, usual: number) => number
}

type Corners = (box: Box) => readonly Point[]

/** The corners of a regular polygon, stretched so that it fills its box. */
const ring = (count: number, across = 1, down = 1): Corners => star(count, undefined, across, down)

/** The corners of a star; without an adjustment those of a polygon. */
function star(count: number, inner: number | undefined, across = 1, down = 1): Corners {
  return ({ width, height, adjusted }) => {
    const ratio = inner === undefined ? undefined : 2 * adjusted('adj', inner)
    const steps = ratio === undefined ? count : 2 * count
    return Array.from({ length: steps }, (_, n): Point => {
      const angle = (n / steps) * 2 * Math.PI
      const far = ratio !== undefined && n % 2 === 1 ? ratio : 1
      const x = width / 2 + Math.sin(angle) * far * across * (width / 2)
      return [x, (height / 2) * down - Math.cos(angle) * far * down * (height / 2)]
    })
  }
}

const turned =
  (corners: Corners): Corners =>
  ({ width, height, ...rest }) =>
    corners({ ...rest, width: height, height: width }).map(([x, y]): Point => [y, x])
const mirrored =
  (corners: Corners): Corners =>
  (box) =>
    corners(box).map(([x, y]): Point => [box.width - x, y])
const upsideDown =
  (corners: Corners): Corners =>
  (box) =>
    corners(box).map(([x, y]): Point => [x, box.height - y])

const rightArrow: Corners = ({ width, height, side, adjusted }) => {
  const neck = Math.max(0, width - side * adjusted('adj2', 0.5))
  const half = (height * adjusted('adj1', 0.5)) / 2
  const [top, bottom] = [height / 2 - half, height / 2 + half]
  return [
    [0, top],
    [neck, top],
    [neck, 0],
    [width, height / 2],
    [neck, height],
    [neck, bottom],
    [0, bottom],
  ]
}

const bothArrow: Corners = ({ width, height, side, adjusted }) => {
  const head = Math.min(width / 2, side * adjusted('adj2', 0.5))
  const half = (height * adjusted('adj1', 0.5)) / 2
  const [top, bottom, end] = [height / 2 - half, height / 2 + half, width - head]
  return [
    [0, height / 2],
    [head, 0],
    [head, top],
    [end, top],
    [end, 0],
    [width, height / 2],
    [end, height],
    [end, bottom],
    [head, bottom],
    [head, height],
  ]
}

const parallelogram =
  (part: (box: Box) => number): Corners =>
  (box) => [
    [0, box.height],
    [part(box), 0],
    [box.width, 0],
    [box.width - part(box), box.height],
  ]
const trapezoid =
  (part: (box: Box) => number): Corners =>
  (box) => [
    [0, box.height],
    [part(box), 0],
    [box.width - part(box), 0],
    [box.width, box.height],
  ]
const hexagon =
  (part: (box: Box) => number): Corners =>
  (box) => [
    [0, box.height / 2],
    [part(box), 0],
    [box.width - part(box), 0],
    [box.width, box.height / 2],
    [box.width - part(box), box.height],
    [part(box), box.height],
  ]
/** A rectangle whose corners are cut off: how much of the top left, top right, bottom right and bottom left one. */
const snipped =
  (cuts: (box: Box) => readonly [number, number, number, number]): Corners =>
  (box) => {
    const { width, height } = box
    const [a, b, c, d] = cuts(box)
    const all: readonly Point[] = [
      [0, a],
      [a, 0],
      [width - b, 0],
      [width, b],
      [width, height - c],
      [width - c, height],
      [d, height],
      [0, height - d],
    ]
    return all.filter(([x, y], n) => x !== all[n - 1]?.[0] || y !== all[n - 1]?.[1])
  }
const bySide =
  (usual: number, name = 'adj') =>
  ({ side, adjusted }: Box): number =>
    side * adjusted(name, usual)
const fifth = ({ width }: Box): number => width / 5

const triangle: Corners = ({ width, height, adjusted }) => [
  [width * adjusted('adj', 0.5), 0],
  [width, height],
  [0, height],
]
const diamond: Corners = ({ width, height }) => [
  [width / 2, 0],
  [width, height / 2],
  [width / 2, height],
  [0, height / 2],
]

const presets: Readonly<Record<string, Corners>> = {
  triangle,
  rtTriangle: ({ width, height }) => [
    [0, 0],
    [width, height],
    [0, height],
  ],
  diamond,
  parallelogram: parallelogram(bySide(0.25)),
  trapezoid: trapezoid(bySide(0.25)),
  pentagon: ring(5, 1.05146, 1.10557),
  hexagon: hexagon(bySide(0.25)),
  heptagon: ring(7, 1.02572, 1.0521),
  octagon: snipped((box) => {
    const cut = bySide(0.29289)(box)
    return [cut, cut, cut, cut]
  }),
  decagon: turned(ring(10, 1.05146, 1)),
  dodecagon: ring(12, 1, 1),
  star4: star(4, 0.125),
  star5: star(5, 0.19098, 1.05146, 1.10557),
  star6: star(6, 0.28868, 1.1547),
  star7: star(7, 0.34601, 1.02572, 1.0521),
  star8: star(8, 0.375),
  star10: star(10, 0.42533, 1.05146),
  star12: star(12, 0.375),
  star16: star(16, 0.375),
  star24: star(24, 0.375),
  star32: star(32, 0.375),
  rightArrow,
  leftArrow: mirrored(rightArrow),
  downArrow: turned(rightArrow),
  upArrow: upsideDown(turned(rightArrow)),
  leftRightArrow: bothArrow,
  upDownArrow: turned(bothArrow),
  homePlate: (box) => {
    const neck = box.width - bySide(0.5)(box)
    return [
      [0, 0],
      [neck, 0],
      [box.width, box.height / 2],
      [neck, box.height],
      [0, box.height],
    ]
  },
  chevron: (box) => {
    const part = bySide(0.5)(box)
    return [
      [0, 0],
      [box.width - part, 0],
      [box.width, box.height / 2],
      [box.width - part, box.height],
      [0, box.height],
      [part, box.height / 2],
    ]
  },
  plus: (box) => {
    const { width, height } = box
    const cut = bySide(0.25)(box)
    return [
      [0, cut],
      [cut, cut],
      [cut, 0],
      [width - cut, 0],
      [width - cut, cut],
      [width, cut],
      [width, height - cut],
      [width - cut, height - cut],
      [width - cut, height],
      [cut, height],
      [cut, height - cut],
      [0, height - cut],
    ]
  },
  corner: (box) => {
    const { width, height } = box
    const [thick, low] = [bySide(0.5, 'adj2')(box), bySide(0.5, 'adj1')(box)]
    return [
      [0, 0],
      [thick, 0],
      [thick, height - low],
      [width, height - low],
      [width, height],
      [0, height],
    ]
  },
  diagStripe: ({ width, height, adjusted }) => [
    [0, height * adjusted('adj', 0.5)],
    [width * adjusted('adj', 0.5), 0],
    [width, 0],
    [0, height],
  ],
  snip1Rect: snipped((box) => [0, bySide(0.16667)(box), 0, 0]),
  snip2SameRect: snipped((box) => {
    const [above, below] = [bySide(0.16667, 'adj1')(box), bySide(0, 'adj2')(box)]
    return [above, above, below, below]
  }),
  snip2DiagRect: snipped((box) => {
    const [one, other] = [bySide(0, 'adj1')(box), bySide(0.16667, 'adj2')(box)]
    return [one, other, one, other]
  }),
  flowChartDecision: diamond,
  flowChartInputOutput: parallelogram(fifth),
  flowChartPreparation: hexagon(fifth),
  flowChartManualOperation: upsideDown(trapezoid(fifth)),
  flowChartManualInput: ({ width, height }) => [
    [0, height / 5],
    [width, 0],
    [width, height],
    [0, height],
  ],
  flowChartExtract: triangle,
  flowChartMerge: upsideDown(triangle),
  flowChartOffpageConnector: ({ width, height }) => [
    [0, 0],
    [width, 0],
    [width, height * 0.8],
    [width / 2, height],
    [0, height * 0.8],
  ],
}

const round = (value: number): number => Math.round(value * 100) / 100
const mostSteps = 5000

/** Returns the outline of a shape by its properties; undefined if it is none of these. */
export function outlineOf(
  properties: Element | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): string | undefined {
  const geometry = child(properties, 'a:prstGeom')
  const corners = presets[geometry?.attributes['prst'] ?? '']
  if (corners === undefined) return freeformOf(child(properties, 'a:custGeom'), width, height)
  const values = new Map(
    children(child(geometry, 'a:avLst'), 'a:gd').flatMap(({ attributes }) => {
      const value = Number(/^val (-?\d+)$/.exec(attributes['fmla'] ?? '')?.[1] ?? Number.NaN)
      return Number.isFinite(value) ? [[attributes['name'] ?? '', value / 100_000] as const] : []
    }),
  )
  const adjusted = (name: string, usual: number): number => Math.max(0, values.get(name) ?? usual)
  const points = corners({ width, height, side: Math.min(width, height), adjusted })
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`
}

const commands: Readonly<Record<string, readonly [letter: string, points: number]>> = {
  'a:moveTo': ['M', 1],
  'a:lnTo': ['L', 1],
  'a:quadBezTo': ['Q', 2],
  'a:cubicBezTo': ['C', 3],
}

/** A freeform; undefined if its points are computed by formulas or it has too many. */
function freeformOf(geometry: Element | undefined, width: number, height: number): string | undefined {
  const paths = children(child(geometry, 'a:pathLst'), 'a:path')
  let path = ''
  let steps = 0
  for (const one of paths) {
    const across = width / (numberAt(one, 'w') || width || 1)
    const down = height / (numberAt(one, 'h') || height || 1)
    for (const step of children(one)) {
      steps += 1
      if (step.name === 'a:close') {
        path += 'Z'
        continue
      }
      const [letter, count] = commands[step.name] ?? ['', 0]
      const points = children(step, 'a:pt').map((point) => [numberAt(point, 'x'), numberAt(point, 'y')] as const)
      if (points.length !== count || count === 0 || steps > mostSteps) return undefined
      if (points.some(([x, y]) => x === undefined || y === undefined)) return undefined
      path += letter + points.map(([x = 0, y = 0]) => `${round(x * across)} ${round(y * down)}`).join(' ')
    }
  }
  return path.startsWith('M') ? path : undefined
}
