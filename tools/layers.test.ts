import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Layers, readSources, violations } from './layers.ts'

const root = join(import.meta.dirname, '..')
const rules = JSON.parse(readFileSync(join(import.meta.dirname, 'layers.json'), 'utf8')) as Layers

test('imports go the way that layers.json allows', () => {
  const sources = readSources(root)
  expect(sources.size).toBeGreaterThan(50)
  expect(violations(sources, rules)).toEqual([])
})

const drive = 'packages/server/src/drive'
const breaches: [string, Record<string, string>, string][] = [
  [
    'a lower package imports a higher',
    { 'packages/domain/src/a.ts': `import '@cloudoc/contract'` },
    'domain holds pure',
  ],
  ['domain imports a library', { 'packages/domain/src/a.ts': `import { z } from 'zod'` }, 'a.ts imports zod'],
  [
    'web imports server',
    { 'packages/web/src/core/a.ts': `await import('@cloudoc/server')` },
    'imports packages/server',
  ],
  [
    'core imports an area',
    { 'packages/server/src/core/a.ts': `export * from '../people/auth/index.ts'` },
    'core serves',
  ],
  ['anyone imports system', { [`${drive}/files/a.ts`]: `import { b } from '../../system/admin/index.ts'` }, 'system'],
  ['kit imports calls', { 'packages/web/src/kit/a.tsx': `import { calls } from '@cloudoc/contract'` }, 'kit holds'],
  [
    'a feature reaches past an index',
    { [`${drive}/files/a.ts`]: `import '../tree/write.ts'` },
    'reaches past the index.ts of packages/server/src/drive/tree',
  ],
  [
    'an area of the web client reaches past an index',
    { 'packages/web/src/drive/a.ts': `import '../people/login/x.ts'` },
    'reaches past the index.ts of packages/web/src/people to x.ts',
  ],
  [
    'features import each other',
    {
      [`${drive}/tree/index.ts`]: `import '../rights/index.ts'`,
      [`${drive}/rights/index.ts`]: `import '../files/index.ts'`,
      [`${drive}/files/a.ts`]: `import '../tree/index.ts'`,
    },
    'tree → packages/server/src/drive/rights → packages/server/src/drive/files → packages/server/src/drive/tree',
  ],
  [
    'a room imports a room above it',
    { 'packages/web/src/items/item/a.ts': `import '../lists/b.ts'` },
    'item may not import lists',
  ],
  [
    'a room imports what joins its area',
    { 'packages/web/src/items/lists/a.ts': `import '../index.ts'` },
    'lists may not import what joins its area',
  ],
  ['a folder of an area is no room', { 'packages/web/src/drive/new/a.ts': '' }, 'belongs to no room'],
  [
    'files import each other',
    {
      'packages/web/src/items/item/a.ts': `import './b.ts'`,
      'packages/web/src/items/item/b.ts': `const c = await import('./c.ts')`,
      'packages/web/src/items/item/c.ts': `import type { A } from './a.ts'`,
    },
    'item/a.ts → packages/web/src/items/item/b.ts → packages/web/src/items/item/c.ts → packages/web/src/items/item/a.ts',
  ],
  [
    'a setting is read past config.ts',
    { 'packages/server/src/core/a.ts': 'process.env.PORT' },
    'uses process.env. Settings',
  ],
  [
    'the shell is reached past the bridge',
    { 'packages/web/src/drive/a.ts': 'window.shell.open()' },
    'uses window.shell',
  ],
  ['a file lies outside every layer', { 'packages/new/src/a.ts': '' }, 'belongs to no layer'],
]
test.each(breaches)('reports when %s', (_what, sources, message) => {
  expect(violations(new Map(Object.entries(sources)), rules).join('\n')).toContain(message)
})

test('reports circles of what layers.json allows', () => {
  const layers = { ...rules.layers, 'packages/devkit': { may: ['packages/server'] } }
  expect(violations(new Map(), { ...rules, layers }).join('\n')).toContain('packages/server → packages/devkit →')
  const rooms = { a: { one: ['two'], two: ['one'] } }
  expect(violations(new Map(), { ...rules, rooms })).toEqual(['rooms of a may import each other: one → two → one'])
})
