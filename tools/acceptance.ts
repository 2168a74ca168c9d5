/*
 * Generates docs/acceptance.md from the tests. A comment directly above a test says in one sentence what works; the
 * title of the test cites the same row of the requirements:
 *
 *   // [R135] The 13 rights have the documented bits.
 *   test('[R135] [R136] …', …)
 *
 * A sentence may continue on further comment lines, and a test may have several sentences.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of the page: a sentence about a row of the requirements, and the test that proves it. */
export interface Proof {
  row: string
  sentence: string
  path: string
  title: string
}

export const ACCEPTANCE_PAGE = 'docs/acceptance.md'

const sentenceStart = /^\s*\/\/ \[(R\d{3})\] (.+)$/
const comment = /^\s*\/\/ ?(.*)$/
const statement = /^\s*(?:test|it|longTest|describe)\b\s*[.(]/
const citingTitle = /(['"`])((?:\\.|(?!\1).)*\[R\d{3}\](?:\\.|(?!\1).)*)\1/

/** Returns the paths of all test files, relative to the root and sorted. */
function testFiles(root: string): string[] {
  const filesOf = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === 'node_modules' || entry.name === 'dist') return []
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesOf(path) : [path]
    })
  return ['e2e', 'packages', 'tools']
    .flatMap(filesOf)
    .filter((path) => /\.(?:test|full)\.tsx?$/.test(path))
    .toSorted()
}

/** Returns the title of the statement that begins at or after a line, or undefined when it cites no row. */
function titleAfter(lines: readonly string[], from: number): string | undefined {
  let statements = 0
  for (const line of lines.slice(from)) {
    if (sentenceStart.test(line)) return undefined
    if (statement.test(line)) statements += 1
    if (statements > 1) return undefined
    const [, , title] = citingTitle.exec(line) ?? []
    if (title !== undefined) return title
  }
  return undefined
}

/** Returns the proofs in the text of one test file. The title is empty where no test follows the sentence. */
export function proofsIn(path: string, text: string): Proof[] {
  const lines = text.split('\n')
  const proofs: Proof[] = []
  for (let at = 0; at < lines.length; at += 1) {
    if (!sentenceStart.test(lines[at] ?? '')) continue
    const block: { row: string; sentence: string }[] = []
    for (; comment.test(lines[at] ?? ''); at += 1) {
      const line = lines[at] ?? ''
      const [, row, sentence] = sentenceStart.exec(line) ?? []
      const last = block.at(-1)
      if (row !== undefined && sentence !== undefined) block.push({ row, sentence })
      else if (last) last.sentence += ` ${(comment.exec(line)?.[1] ?? '').trim()}`
    }
    const title = titleAfter(lines, at) ?? ''
    proofs.push(...block.map((one) => ({ ...one, path, title })))
    at -= 1
  }
  return proofs
}

/** Returns the proofs of all tests, sorted by row and then by path. */
export function proofs(root: string): Proof[] {
  return testFiles(root)
    .flatMap((path) => proofsIn(path, readFileSync(join(root, path), 'utf8')))
    .toSorted((a, b) => a.row.localeCompare(b.row))
}

/** Returns the rows that a title cites: `[R014]`, or the range `[R014]-[R016]`. */
export function rowsCited(title: string): Set<string> {
  const found = [...title.matchAll(/\[R(\d{3})\](?:-\[R(\d{3})\])?/g)].flatMap(([, from = '', to = from]) =>
    Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, index) => `R${String(Number(from) + index).padStart(3, '0')}`,
    ),
  )
  return new Set(found)
}

/** Returns the text of docs/acceptance.md. */
export function acceptancePage(root: string): string {
  const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)
  const lines = proofs(root).map(
    ({ row, sentence, path, title }) => `| ${row} | ${cell(sentence)} | \`${path}\` › ${cell(title)} |`,
  )
  return `# Acceptance

Generated from the tests by \`npm run docs\`; do not edit. Each line names a row of the requirements, what works, and a test that proves it. The sentence is the comment above the test. “In part” says what is missing of the row. \`›\` separates file and title.

| row | what works | proved by |
|---|---|---|
${lines.join('\n')}
`
}
