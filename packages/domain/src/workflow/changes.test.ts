import { expect, test } from 'vitest'
import { templateChanges } from './changes.ts'
import type { Template } from './template.ts'

const task = (id: string, name: string, ids: number[]): Template['nodes'][number] => ({
  ...{ id, name, type: 'task', handlers: [{ by: 'people', ids }], need: { of: 'one', count: 1 } },
  ...{ refusal: 'ends', empty: { to: 'superior' }, deadline: null, mayReplace: false },
})
const edge = (from: string, to: string) => ({ id: `${from}-${to}`, from, to, when: [], otherwise: false })
const before: Template = {
  nodes: [{ id: 'start', name: '', type: 'start' }, task('a', '法务', [1]), { id: 'end', name: '', type: 'end' }],
  edges: [edge('start', 'a'), edge('a', 'end')],
  fields: [{ id: 'f', name: '金额', type: 'money', required: true, choices: [] }],
  ...{ launcherDecides: true, skipsSame: false },
}

test('a template does not differ from itself, however its keys are ordered', () => {
  const turned = JSON.parse(JSON.stringify(before), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  ) as Template
  expect(templateChanges(before, turned)).toEqual([])
})

test('nodes, ways on, fields and rules that differ are named', () => {
  const after: Template = {
    nodes: [...before.nodes.slice(0, 1), task('a', '法务', [2]), task('b', '财务', [3]), ...before.nodes.slice(2)],
    edges: [edge('start', 'a'), edge('a', 'b'), edge('b', 'end')],
    fields: [],
    ...{ launcherDecides: false, skipsSame: false },
  }
  expect(templateChanges(before, after).map(({ of, what, name }) => [of, what, name])).toEqual([
    ['node', 'changed', '法务'],
    ['node', 'added', '财务'],
    ['field', 'removed', '金额'],
    ['rules', 'changed', ''],
  ])
  const way: Template = { ...before, edges: [edge('start', 'end'), edge('a', 'end')] }
  expect(templateChanges(before, way).map(({ id }) => id)).toEqual(['start'])
})
