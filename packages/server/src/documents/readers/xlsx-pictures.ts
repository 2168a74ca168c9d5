// Pictures of workbooks: those that lie on a sheet, charts, and those that are the content of a cell.
import type { SheetBody } from '@cloudoc/contract'
import { drawChart, readChart } from '@cloudoc/office/chart'
import { fromEmu, type OfficePackage } from './package.ts'
import type { ReadSheet } from './xlsx-sheet.ts'
import { at, child, children, descendants, type Element, numberAt, textOf } from './xml.ts'

const [usualColumn, usualRow] = [72, 20]
const [largestChart, mostCharts] = [2000, 200]
/** Least side of a picture in a cell, which would not be seen in a low row. */
const leastPicture = 16

/** Pictures and charts on a sheet, by the cell of their top left corner. */
export function lyingOn(
  office: OfficePackage,
  sheet: string,
  theme: ReadonlyMap<string, string>,
): Pick<SheetBody, 'images' | 'drawings'> {
  const file = [...office.relations(sheet).values()].find(({ type }) => type === 'drawing')?.target
  const drawing = file === undefined ? undefined : office.xml(file)
  if (file === undefined || drawing === undefined) return { images: [] }
  const relations = office.relations(file)
  const images: SheetBody['images'][number][] = []
  const drawings: NonNullable<SheetBody['drawings']>[number][] = []
  for (const anchor of children(drawing)) {
    const cornerAt = (corner: string, name: string): number => Number(textOf(at(anchor, corner, name)) || 0)
    const [row, column] = [cornerAt('xdr:from', 'xdr:row'), cornerAt('xdr:from', 'xdr:col')]
    const extent = child(anchor, 'xdr:ext') ?? [...descendants(anchor, 'a:ext')].find((one) => numberAt(one, 'cx'))
    // If only the cells of the corners are given, the size is computed from default cell sizes.
    const across = (cornerAt('xdr:to', 'xdr:col') - column) * usualColumn
    const down = (cornerAt('xdr:to', 'xdr:row') - row) * usualRow
    const width = fromEmu(numberAt(extent, 'cx')) || Math.min(largestChart, across) || 320
    const height = fromEmu(numberAt(extent, 'cy')) || Math.min(largestChart, down) || 240
    for (const one of descendants(anchor, 'c:chart')) {
      const target = relations.get(one.attributes['r:id'] ?? '')?.target
      const chart = target ? readChart(office.xml(target), theme) : undefined
      if (chart !== undefined && drawings.length < mostCharts)
        drawings.push({ drawing: drawChart(chart, width, height), row, column })
    }
    const blip = [...descendants(anchor, 'a:blip')][0]
    const target = relations.get(blip?.attributes['r:embed'] ?? '')?.target
    const part = target ? office.picture(target) : undefined
    if (part !== undefined) images.push({ part, row, column, width, height })
  }
  return { images, ...(drawings.length === 0 ? {} : { drawings }) }
}

/** A picture that cells may name, with the ratio of its sides if the file says it. */
interface CellPicture {
  readonly target: string
  readonly ratio: number | undefined
}

export interface CellPictures {
  byName(name: string): CellPicture | undefined
  byRichValue(number: number): CellPicture | undefined
}

/** Reads what the workbook keeps of pictures in cells; `beside` returns the file of a relationship of the workbook. */
export function cellPicturesOf(office: OfficePackage, beside: (type: string) => string | undefined): CellPictures {
  let named: ReadonlyMap<string, CellPicture> | undefined
  let rich: readonly (CellPicture | undefined)[] | undefined
  return {
    byName: (name) => (named ??= picturesOfWps(office, beside('cellImage'))).get(name),
    byRichValue: (number) => (rich ??= picturesOfExcel(office, beside))[number - 1],
  }
}

function picturesOfWps(office: OfficePackage, file: string | undefined): ReadonlyMap<string, CellPicture> {
  const root = file === undefined ? undefined : office.xml(file)
  const relations = file === undefined ? new Map<never, never>() : office.relations(file)
  const found = new Map<string, CellPicture>()
  for (const picture of root === undefined ? [] : descendants(root, 'xdr:pic')) {
    const name = [...descendants(picture, 'xdr:cNvPr')][0]?.attributes['name']
    const target = relations.get([...descendants(picture, 'a:blip')][0]?.attributes['r:embed'] ?? '')?.target
    const extent = [...descendants(picture, 'a:ext')].find((one) => numberAt(one, 'cx'))
    const [across, below] = [numberAt(extent, 'cx') ?? 0, numberAt(extent, 'cy') ?? 0]
    if (name === undefined || target === undefined) continue
    found.set(name, { target, ratio: across > 0 && below > 0 ? across / below : undefined })
  }
  return found
}

const plainName = ({ name }: Element): string => name.slice(name.indexOf(':') + 1)
const named = (root: Element | undefined, name: string): Element[] =>
  children(root).filter((one) => plainName(one) === name)

/**
 * The pictures by the number in the attribute `vm` of cells: the number of a value metadata, which names a rich value,
 * which has the number of a relationship under a key of its structure.
 */
function picturesOfExcel(
  office: OfficePackage,
  beside: (type: string) => string | undefined,
): readonly (CellPicture | undefined)[] {
  const xmlOf = (type: string): Element | undefined => {
    const file = beside(type)
    return file === undefined ? undefined : office.xml(file)
  }
  const metadata = xmlOf('sheetMetadata')
  const relationsFile = beside('richValueRel')
  if (metadata === undefined || relationsFile === undefined) return []
  const relations = office.relations(relationsFile)
  const targets = named(office.xml(relationsFile), 'rel').map(
    (one) => relations.get(one.attributes['r:id'] ?? '')?.target,
  )
  const structures = named(xmlOf('rdRichValueStructure'), 's').map((one) =>
    named(one, 'k').findIndex(({ attributes }) => attributes['n'] === '_rvRel:LocalImageIdentifier'),
  )
  const values = named(xmlOf('rdRichValue'), 'rv').map((one) => {
    const key = structures[Number(one.attributes['s'] ?? -1)] ?? -1
    const value = key < 0 ? undefined : named(one, 'v')[key]
    return value === undefined ? undefined : targets[Number(textOf(value))]
  })
  const future = named(metadata, 'futureMetadata').find(({ attributes }) => attributes['name'] === 'XLRICHVALUE')
  const blocks = named(future, 'bk').map((one) => {
    const [found] = [...everyElement(one)].filter((inner) => plainName(inner) === 'rvb')
    return values[Number(found?.attributes['i'] ?? -1)]
  })
  return named(named(metadata, 'valueMetadata')[0], 'bk').map((one) => {
    const target = blocks[Number(named(one, 'rc')[0]?.attributes['v'] ?? -1)]
    return target ? { target, ratio: undefined } : undefined
  })
}

function* everyElement(root: Element): Generator<Element> {
  for (const one of children(root)) {
    yield one
    yield* everyElement(one)
  }
}

/** Returns the pictures in the cells of a sheet, within their cells, and removes the texts that stand for them. */
export function picturesInCells(office: OfficePackage, sheet: ReadSheet, pictures: CellPictures): SheetBody['images'] {
  return sheet.pictured.flatMap(({ row, column, name, richValue, fill }) => {
    const found = name === undefined ? pictures.byRichValue(richValue ?? 0) : pictures.byName(name)
    const part = found === undefined ? undefined : office.picture(found.target)
    if (found === undefined || part === undefined) return []
    fill('')
    const merge = sheet.merges.find(([top, left]) => top === row && left === column)
    const [, , bottom, right] = merge ?? [row, column, row, column]
    const sum = (from: number, to: number, sizes: Readonly<Record<number, number>>, usual: number): number => {
      let size = 0
      for (let n = from; n <= Math.min(to, from + 200); n += 1) size += sizes[n] ?? usual
      return Math.max(leastPicture, size - 2)
    }
    const [width, height] = [sum(column, right, sheet.widths, usualColumn), sum(row, bottom, sheet.heights, usualRow)]
    const ratio = found.ratio ?? office.pictureRatio(found.target) ?? width / height
    const [across, below] = width / height > ratio ? [height * ratio, height] : [width, width / ratio]
    return [{ part, row, column, width: Math.round(across), height: Math.round(below) }]
  })
}
