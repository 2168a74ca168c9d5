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
