// Draws comments of the sources at random, to be judged by somebody who does not know the code: `node tools/draw-comments.ts
// <seed> [count]` prints each with its file, its line and the code line after it. The same seed on the same sources draws
// the same comments.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Found {
  readonly at: string
  readonly text: string
  readonly next: string
}

/** The comments of a source that stand on lines of their own; lines that follow each other are one comment. */
function commentsOf(path: string): Found[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const found: Found[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const first = at
    const line = (lines[at] ?? '').trim()
    if (line.startsWith('//')) {
      while ((lines[at + 1] ?? '').trim().startsWith('//')) at += 1
    } else if (line.startsWith('/*')) {
      while (!(lines[at] ?? '').includes('*/') && at < lines.length) at += 1
    } else continue
    const text = lines
      .slice(first, at + 1)
      .map((one) => one.trim().replace(/^(?:\/\/|\/\*\*?|\*(?!\/))\s?|\s?\*\/$/g, ''))
      .join(' ')
      .trim()
    // Directives for tools, and the sentences that docs/acceptance.md is made of.
    if (/^(?:biome-|oxlint-|@ts-|\[R\d)/.test(text) || text === '') continue
    found.push({ at: `${path}:${first + 1}`, text, next: (lines[at + 1] ?? '').trim() })
  }
  return found
}

/** Repeatable random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const [seed = 1, count = 30] = process.argv.slice(2).map(Number)
const random = randomOf(seed)
const all = ['packages', 'e2e', 'tools', 'scripts']
  .flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${top}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/\/(?:node_modules|dist|throwaway)\//.test(path))
  .sort()
  .flatMap(commentsOf)
for (let drawn = 1; drawn <= count; drawn += 1) {
  const comment = all[Math.floor(random() * all.length)]
  if (comment !== undefined) console.log(`${drawn}. ${comment.at}\n   ${comment.text}\n   → ${comment.next}\n`)
}
