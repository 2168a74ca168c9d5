/*
 * Where rows stand: in lines of one row, or of as many tiles as there is room for, under the heads of their groups. All
 * lines of a group are equally high, so any line is found by arithmetic: what a screen costs does not depend on how long
 * the list is.
 */
import type { Span } from './folder-list.ts'

/** Rows that stand together under a head. */
export interface Group {
  readonly fType: 1 | 2
  readonly key: string
  readonly count: number
}

/** A line of rows, or the head of a group. */
export interface Line extends Span {
  readonly index: number
  readonly top: number
  readonly height: number
  /** The group of its rows, where there are groups. */
  readonly group: Group | undefined
  readonly isHead: boolean
}

/** How the rows of a group stand: so many in a line, each line so high. */
export interface LineShape {
  readonly perLine: number
  readonly lineHeight: number
}

export interface LayoutOptions extends LineShape {
  readonly total: number
  /** Groups of folders, where they stand another way than the others. */
  readonly folders?: LineShape | undefined
  readonly headHeight: number
  /** Kept free above the first line. */
  readonly padding: number
  /** All rows in their order, or none. */
  readonly groups: readonly Group[] | undefined
}

/** A run of rows with its head. */
interface Block extends LineShape {
  readonly group: Group | undefined
  readonly from: number
  readonly to: number
  readonly line: number
  readonly top: number
}

/** The lines of a list; see the head of this file. */
export class ListLayout {
  readonly lines: number
  readonly height: number
  readonly #blocks: readonly Block[]
  readonly #options: LayoutOptions

  constructor(options: LayoutOptions) {
    const { total, headHeight, padding } = options
    const blocks: Block[] = []
    let from = 0
    let line = 0
    let top = padding
    for (const group of options.groups ?? [undefined]) {
      const to = from + (group?.count ?? total)
      const { perLine, lineHeight } = (group?.fType === 2 ? options.folders : undefined) ?? options
      blocks.push({ group, from, to, line, top, perLine, lineHeight })
      const own = Math.ceil((to - from) / perLine)
      const heads = group === undefined ? 0 : 1
      from = to
      line += own + heads
      top += own * lineHeight + heads * headHeight
    }
    this.#options = options
    this.#blocks = blocks
    this.lines = line
    this.height = top
  }

  /** A line by its number; the first or last one beyond them. */
  line(index: number): Line {
    const { headHeight } = this.#options
    const at = Math.max(0, Math.min(this.lines - 1, index))
    const block = this.#last((one) => one.line <= at)
    const { group, from, to, top, perLine, lineHeight } = block
    const heads = group === undefined ? 0 : 1
    const inside = at - block.line - heads
    if (inside < 0) return { index: at, top, height: headHeight, group, isHead: true, from, to }
    const first = from + inside * perLine
    return {
      index: at,
      top: top + heads * headHeight + inside * lineHeight,
      height: lineHeight,
      group,
      isHead: false,
      from: first,
      to: Math.min(to, first + perLine),
    }
  }

  /** The number of the line that a row stands in. */
  lineOf(row: number): number {
    const block = this.#last((one) => one.from <= row)
    return block.line + (block.group === undefined ? 0 : 1) + Math.floor((row - block.from) / block.perLine)
  }

  /** The number of the line at a height; as many as there are lines below the last. */
  lineAt(y: number): number {
    if (y >= this.height) return this.lines
    const { headHeight } = this.#options
    const block = this.#last((one) => one.top <= y)
    const { lineHeight } = block
    const heads = block.group === undefined ? 0 : 1
    const inside = y - block.top - heads * headHeight
    return Math.max(0, inside < 0 ? block.line : block.line + heads + Math.floor(inside / lineHeight))
  }

  /** The rows of a group by its name (see `groupName`). */
  ofGroup(name: string): Span | undefined {
    return this.#blocks.find(({ group }) => group !== undefined && groupName(group) === name)
  }

  /** The row as far across in the next line of rows that a step of so many lines leads to. */
  step(row: number, lines: number): number {
    const here = this.line(this.lineOf(row))
    let there = this.line(here.index + lines)
    if (there.isHead) there = this.line(there.index + (lines < 0 && there.index > 0 ? -1 : 1))
    return Math.min(there.to - 1, there.from + row - here.from)
  }

  #last(fits: (block: Block) => boolean): Block {
    let from = 0
    let to = this.#blocks.length
    while (to - from > 1) {
      const middle = (from + to) >> 1
      const block = this.#blocks[middle]
      if (block !== undefined && fits(block)) from = middle
      else to = middle
    }
    return this.#blocks[from] ?? { group: undefined, from: 0, to: 0, line: 0, top: 0, perLine: 1, lineHeight: 1 }
  }
}

/** What tells a group from the others of its list. */
export function groupName({ fType, key }: Group): string {
  return `${fType} ${key}`
}

/** Groups whose counts are made to sum up to the rows that there are: they were counted a moment before or after. */
export function fitGroups(groups: readonly Group[], total: number): Group[] {
  const fitted: Group[] = []
  let left = total
  for (const [i, group] of groups.entries()) {
    const count = i === groups.length - 1 ? left : Math.min(group.count, left)
    left -= count
    if (count > 0) fitted.push({ ...group, count })
  }
  return fitted
}
