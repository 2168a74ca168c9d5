// Names use the terms of the field: no source file and no exported name uses a word that was retired (docs/words.md has
// the words of the screen).
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Retired words, each with the term that takes its place. */
const retired: Readonly<Record<string, string>> = {
  again: 'retry, reopen',
  asides: 'headersAndNotes',
  begun: 'insertedParts',
  beside: 'base',
  gather: 'batcher',
  given: 'what is given',
  held: 'locked',
  here: 'coedit, session',
  kept: 'cached, stored, draft, pending',
  keeping: 'cache, offlineCopies',
  looks: 'styles, formatting',
  met: 'access',
  moved: 'referenceShift',
  news: 'notifier',
  noted: 'recorded',
  once: 'oneTimeTokens',
  outside: 'outboundHttp',
  paper: 'editor',
  places: 'semaphore, locations',
  said: 'notice, message',
  sought: 'target',
  stage: 'viewer',
  standing: 'authority',
  surface: 'editor',
  tell: 'notify',

  things: 'what they are',
  together: 'coedit (in the page), wopi (office server)',
  told: 'broadcast, notified',
  turn: 'lockQueue, rebase',
  turns: 'lockQueue',
  walk: 'resumableScan',
  way: 'connection, protocol, path',
  who: 'what it computes',
}

/** Names that are what they say, or are stored: a migration keeps the name under which it was applied. */
const allowed: readonly RegExp[] = [
  /^packages\/server\/migrations\//,
  // The space that an item takes along when it is moved.
  /:takeMoved$/,
  // Icons have the names of their library.
  /^packages\/web\/src\/kit\/icons\.ts:/,
]

const sources = ['packages', 'e2e', 'tools', 'scripts'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .map((path) => join(top, path).replaceAll('\\', '/'))
    .filter((path) => /\.(?:tsx?|mjs|css)$/.test(path) && !/\/(?:node_modules|dist|throwaway)\//.test(path)),
)

/** The words of a camel-case or kebab-case name, in lower case. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-.]/)

/** `<file>` or `<file>:<name>` for each name with a retired word. */
function offences(path: string, source: string): string[] {
  const exported = [
    ...source.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm),
  ].map(([, name = '']) => name)
  const isRetired = (name: string): boolean => wordsOf(name).some((word) => Object.hasOwn(retired, word))
  return [
    ...(isRetired(basename(path).replace(/(?:\.test|\.full|\.d)?\.\w+$/, '')) ? [path] : []),
    ...exported.filter(isRetired).map((name) => `${path}:${name}`),
  ].filter((offence) => !allowed.some((pattern) => pattern.test(offence)))
}

test('no file and no exported name uses a retired word', () => {
  expect(sources.length).toBeGreaterThan(1500)
  expect(sources.flatMap((path) => offences(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  ['packages/server/src/drive/locks/told.ts', '', 'packages/server/src/drive/locks/told.ts'],
  ['packages/web/src/x.ts', 'export function openHere() {}', 'packages/web/src/x.ts:openHere'],
  ['packages/web/src/x.ts', 'export interface KeptEdits {}', 'packages/web/src/x.ts:KeptEdits'],
])('finds %s %s', (path, source, found) => {
  expect(offences(path, source)).toEqual([found])
})
