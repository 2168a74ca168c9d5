/*
 * The layout of rows: lines of one row, or of as many tiles as fit, below the headers of their groups. All lines of a
 * group have the same height, so a line is found by arithmetic. The cost of rendering does not depend on the length of
 * the list.
 */
import type { Span } from './folder-list.ts'

/** Rows below a common header. */
export interface Group {
  readonly fType: 1 | 2
  readonly key: string
  readonly count: number
}

/** A line of rows, or the header of a group. */
export interface Line extends Span {
  readonly index: number
  readonly top: number
  readonly height: number
  /** The group of the rows, if the list is grouped. */
  readonly group: Group | undefined
  readonly isHead: boolean
}

/** The layout of the rows of a group: the number per line and the line height. */
export interface LineShape {
  readonly perLine: number
  readonly lineHeight: number
}

export interface LayoutOptions extends LineShape {
  readonly total: number
  /** The layout of folder groups, if it differs from the others. */
  readonly folders?: LineShape | undefined
  readonly headHeight: number
  /** Free pixels above the first line. */
  readonly padding: number
  /** The groups of all rows in order. Undefined if the list is not grouped. */
  readonly groups: readonly Group[] | undefined
}

/** A run of rows with its header. */
interface Block extends LineShape {
  readonly group: Group | undefined
  readonly from: number
  readonly to: number
  readonly line: number
  readonly top: number
}

/** The lines of a list. See the comment at the top of this file. */
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

  /** Returns a line by its number. Numbers out of range return the first or the last line. */
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

  /** Returns the number of the line that contains a row. */
  lineOf(row: number): number {
    const block = this.#last((one) => one.from <= row)
    return block.line + (block.group === undefined ? 0 : 1) + Math.floor((row - block.from) / block.perLine)
  }

  /** Returns the number of the line at a height. Below the last line, returns the number of lines. */
  lineAt(y: number): number {
    if (y >= this.height) return this.lines
    const { headHeight } = this.#options
    const block = this.#last((one) => one.top <= y)
    const { lineHeight } = block
    const heads = block.group === undefined ? 0 : 1
    const inside = y - block.top - heads * headHeight
    return Math.max(0, inside < 0 ? block.line : block.line + heads + Math.floor(inside / lineHeight))
  }

  /** Returns the rows of a group by its name (see `groupName`). */
  ofGroup(name: string): Span | undefined {
    return this.#blocks.find(({ group }) => group !== undefined && groupName(group) === name)
  }

  /** Returns the row in the same column after moving by this number of lines of rows. */
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

/** Returns the name that identifies a group in its list. */
export function groupName({ fType, key }: Group): string {
  return `${fType} ${key}`
}

/**
 * Adjusts the counts of groups so that their sum equals the number of rows. The groups were counted at a slightly
 * different time.
 */
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
