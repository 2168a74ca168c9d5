/*
 * Computes the difference of two lists: the shortest script of removals and insertions (Myers, "An O(ND) difference
 * algorithm", 1986). The length of the script is limited. Beyond the limit, everything between the common prefix and
 * suffix counts as replaced.
 */

/** An unchanged, removed or inserted element. `a` and `b` are positions in the two lists. */
export interface Step {
  readonly kind: 'same' | 'del' | 'ins'
  readonly a: number
  readonly b: number
}

/** The limit of the script length: texts with longer scripts have little in common. */
const longestScript = 2000

/** Returns the steps from one list to the other. */
export function diffSteps(a: readonly string[], b: readonly string[]): Step[] {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1
  let tail = 0
  while (tail < a.length - from && tail < b.length - from && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1
  const middle = middleSteps(a.slice(from, a.length - tail), b.slice(from, b.length - tail))
  return [
    ...Array.from({ length: from }, (_, n): Step => ({ kind: 'same', a: n, b: n })),
    ...middle.map((step) => ({ ...step, a: step.a + from, b: step.b + from })),
    ...Array.from({ length: tail }, (_, n): Step => ({ kind: 'same', a: a.length - tail + n, b: b.length - tail + n })),
  ]
}

function middleSteps(a: readonly string[], b: readonly string[]): Step[] {
  const [n, m] = [a.length, b.length]
  if (n === 0 || m === 0) return replaced(n, m)
  const most = Math.min(n + m, longestScript)
  /** The furthest position on each diagonal, after each step. */
  const reached: Int32Array[] = []
  let ends = new Int32Array(2 * most + 2)
  for (let d = 0; d <= most; d += 1) {
    reached.push(ends.slice())
    for (let k = -d; k <= d; k += 2) {
      const at = (diagonal: number): number => ends[most + diagonal] ?? 0
      let x = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1
      let y = x - k
      while (x < n && y < m && a[x] === b[y]) {
        x += 1
        y += 1
      }
      ends[most + k] = x
      if (x >= n && y >= m) return stepsBack(reached, most, n, m)
    }
    ends = ends.slice()
  }
  return replaced(n, m)
}

const replaced = (n: number, m: number): Step[] => [
  ...Array.from({ length: n }, (_, i): Step => ({ kind: 'del', a: i, b: 0 })),
  ...Array.from({ length: m }, (_, i): Step => ({ kind: 'ins', a: n, b: i })),
]

function stepsBack(reached: readonly Int32Array[], most: number, n: number, m: number): Step[] {
  const steps: Step[] = []
  let [x, y] = [n, m]
  for (let d = reached.length - 1; d >= 0; d -= 1) {
    const ends = reached[d]
    const at = (diagonal: number): number => ends?.[most + diagonal] ?? 0
    const k = x - y
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const before = down ? k + 1 : k - 1
    const [fromX, fromY] = d === 0 ? [0, 0] : [at(before), at(before) - before]
    while (x > fromX && y > fromY) {
      x -= 1
      y -= 1
      steps.push({ kind: 'same', a: x, b: y })
    }
    if (d === 0) break
    if (down) y -= 1
    else x -= 1
    steps.push({ kind: down ? 'ins' : 'del', a: x, b: y })
  }
  return steps.reverse()
}

/** A part of a line, and whether the other side also contains it. */
export interface Piece {
  readonly text: string
  readonly changed: boolean
}

/** A line on one side. */
export interface Side {
  readonly n: number
  readonly pieces: readonly Piece[]
}

/** A line of the comparison, on both sides or on one. */
export interface Line {
  readonly kind: 'same' | 'change' | 'add' | 'remove'
  readonly left?: Side
  readonly right?: Side
}

/** Compares two texts line by line, and similar lines word by word. */
export function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = []
  let [gone, come]: [number[], number[]] = [[], []]
  const flush = (): void => {
    lines.push(...pairsOf(before, after, gone, come))
    ;[gone, come] = [[], []]
  }
  for (const { kind, a, b } of diffSteps(before, after)) {
    if (kind === 'del') gone.push(a)
    else if (kind === 'ins') come.push(b)
    else {
      flush()
      lines.push({ kind: 'same', left: whole(before, a, false), right: whole(after, b, false) })
    }
  }
  flush()
  return lines
}

const whole = (lines: readonly string[], n: number, changed: boolean): Side => ({
  n: n + 1,
  pieces: [{ text: lines[n] ?? '', changed }],
})

/** The maximum distance in lines within which the changed form of a line is searched. */
const alikeWithin = 100

/** Pairs removed and inserted lines of one hunk: similar lines are shown side by side. */
function pairsOf(before: readonly string[], after: readonly string[], gone: number[], come: number[]): Line[] {
  const lines: Line[] = []
  const read = new Map<number, string[]>()
  const wordsOf = (b: number): string[] => {
    const words = read.get(b) ?? tokensIn(after[b] ?? '')
    read.set(b, words)
    return words
  }
  let next = 0
  for (const a of gone) {
    const old = tokensIn(before[a] ?? '')
    const found = come.slice(next, next + alikeWithin).findIndex((b) => isAlike(old, wordsOf(b)))
    if (found === -1) {
      lines.push({ kind: 'remove', left: whole(before, a, true) })
      continue
    }
    for (const b of come.slice(next, next + found)) lines.push({ kind: 'add', right: whole(after, b, true) })
    const b = come[next + found] ?? 0
    next += found + 1
    lines.push(changedLine(a, old, b, wordsOf(b)))
  }
  for (const b of come.slice(next)) lines.push({ kind: 'add', right: whole(after, b, true) })
  return lines
}

/** Splits a line into tokens: Chinese by characters, everything else by words. */
export function tokensIn(line: string): string[] {
  return line.match(/\p{Script=Han}|[\p{L}\p{N}_.%]+|\s+|./gu) ?? []
}

/** Whether two lines have enough in common to count as one changed line. */
function isAlike(a: readonly string[], b: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const left = counts.get(word) ?? 0
    if (left === 0 || word.trim() === '') continue
    counts.set(word, left - 1)
    common += 1
  }
  return common * 3 >= Math.max(a.length, b.length)
}

function changedLine(a: number, old: readonly string[], b: number, fresh: readonly string[]): Line {
  const [left, right]: [Piece[], Piece[]] = [[], []]
  const add = (to: Piece[], text: string, changed: boolean): void => {
    const last = to.at(-1)
    if (last?.changed === changed) to[to.length - 1] = { text: last.text + text, changed }
    else to.push({ text, changed })
  }
  for (const step of diffSteps(old, fresh)) {
    if (step.kind !== 'ins') add(left, old[step.a] ?? '', step.kind === 'del')
    if (step.kind !== 'del') add(right, fresh[step.b] ?? '', step.kind === 'ins')
  }
  return { kind: 'change', left: { n: a + 1, pieces: left }, right: { n: b + 1, pieces: right } }
}
