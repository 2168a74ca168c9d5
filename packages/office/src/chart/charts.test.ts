import { expect, test } from 'vitest'
import type { Element } from '../package/elements.ts'
import { drawChart } from './draw-chart.ts'
import { readChart } from './read-chart.ts'

const element = (name: string, ...children: Element['children']): Element => ({ name, attributes: {}, children })
const valued = (name: string, val: string): Element => ({ name, attributes: { val }, children: [] })
const points = (holder: string, values: readonly string[]): Element =>
  element(
    holder,
    element(
      'c:numRef',
      element(
        'c:numCache',
        ...values.map((value, n) => ({
          name: 'c:pt',
          attributes: { idx: String(n) },
          children: [element('c:v', value)],
        })),
      ),
    ),
  )
const series = (name: string, values: readonly string[]): Element =>
  element('c:ser', points('c:tx', [name]), points('c:cat', ['华东', '华南']), points('c:val', values))
const space = (...plots: Element[]): Element =>
  element('c:chartSpace', element('c:chart', element('c:plotArea', ...plots), element('c:legend')))
const none = new Map<string, string>()

const drawn = (root: Element) => {
  const chart = readChart(root, none)
  if (chart === undefined) throw new Error('no chart')
  return drawChart(chart, 400, 240).marks
}
const wordsOf = (root: Element): string[] => drawn(root).flatMap(({ text }) => text ?? [])

test('[R163] a chart is read from what its file keeps of its numbers, and drawn with its words', () => {
  const root = space(
    element('c:barChart', valued('c:barDir', 'col'), series('收入', ['30', '-10']), series('成本', ['20', ''])),
  )
  expect(readChart(root, new Map([['accent1', '#112233']]))).toMatchObject({
    categories: ['华东', '华南'],
    series: [
      { kind: 'column', name: '收入', values: [30, -10], color: '#112233' },
      { kind: 'column', name: '成本', values: [20, undefined] },
    ],
  })
  expect(wordsOf(root)).toEqual(expect.arrayContaining(['收入', '成本', '华东', '华南', '-10', '0', '30']))
  // One bar per value; the bars of one series are one path.
  const beams = drawn(root).flatMap(({ path }) => path?.split('M').length ?? [])
  expect(beams).toContain(3)
})

test.each(['lineChart', 'areaChart', 'pieChart', 'doughnutChart', 'scatterChart'])('[R163] %s is drawn', (kind) => {
  const marks = drawn(space(element(`c:${kind}`, series('收入', ['30', '10', '5']))))
  expect(marks.length).toBeGreaterThan(4)
  for (const { path = '' } of marks) expect(path).toMatch(/^[\dMLHVAhvaZ .-]*$/)
})

test('[R163] what has no numbers, and what no program draws, is no chart', () => {
  expect(readChart(space(element('c:barChart', series('收入', ['无', '']))), none)).toBeUndefined()
  expect(readChart(space(element('c:otherChart', series('收入', ['1']))), none)).toBeUndefined()
  expect(readChart(undefined, none)).toBeUndefined()
})

test('[R163] a chart whose elements have no prefix is read, as some libraries write it', () => {
  const bare = (one: Element): Element => ({
    ...one,
    name: one.name.replace('c:', ''),
    children: one.children.map((inner) => (typeof inner === 'string' ? inner : bare(inner))),
  })
  const root = space(element('c:lineChart', series('收入', ['30', '10'])))
  expect(readChart(bare(root), none)).toEqual(readChart(root, none))
})

test('[R163] a line over stacked columns has its own values', () => {
  const columns = element(
    'c:barChart',
    valued('c:grouping', 'stacked'),
    series('甲', ['30', '30']),
    series('乙', ['30', '30']),
  )
  const both = drawn(space(columns, element('c:lineChart', series('丙', ['60', '60']))))
  const line = both.find((mark) => mark.path !== undefined && mark.fill === undefined && mark.thick !== undefined)
  const tops = both.flatMap(({ path = '' }) =>
    [...path.matchAll(/M[\d.]+ ([\d.]+)h[\d.]+v[\d.]+h/g)].map(([, y]) => Number(y)),
  )
  // As high as the two columns on each other, and not on top of them.
  expect(tops).toContain(Number(/^M[\d.]+ ([\d.]+)/.exec(line?.path ?? '')?.[1]))
})

test('a report is drawn on its page: no ground, whole numbers, an axis from its least value, and what is told of columns', () => {
  const chart = { title: '', categories: ['一', '二'], hasLegend: false }
  const column = { kind: 'column', name: '', values: [1, 2], color: 'var(--info)' } as const
  const counted = drawChart({ ...chart, series: [column] }, 400, 200, {
    isBare: true,
    isWhole: true,
    tell: (category, series) => `${category} ${series}`,
  }).marks
  expect(counted.flatMap(({ path, ...mark }) => (path !== undefined && 'title' in mark ? [mark.title] : []))).toEqual([
    '0 0',
    '1 0',
  ])
  expect(counted.some((mark) => mark.path !== undefined && mark.fill === '#ffffff')).toBe(false)
  expect(counted.flatMap(({ text }) => text ?? [])).toEqual(['0', '1', '2', '一', '二'])
  const grown = { kind: 'line', name: '', values: [1000, 1010] } as const
  const used = drawChart({ ...chart, series: [grown] }, 400, 200, { fromLeast: true, format: (n) => `${n} B` }).marks
  expect(used.flatMap(({ text }) => text ?? [])[0]).toBe('1000 B')
})
