import { checkTemplate } from '@cloudoc/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addBranch, insertable, insertInto, newBody, removeNode } from './template-draft.ts'

const names = { start: 'start', task: 'task', end: 'end' }

test('whatever is put in and taken out, the drawing stays whole', () => {
  const whole = new Set(['unreachable', 'deadEnd', 'noExit', 'lostEdge', 'sameId', 'noEnd', 'noStart', 'emptyLoop'])
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(200)), { maxLength: 30 }), (steps) => {
      let body = newBody(names)
      for (const [what, at] of steps) {
        const edge = body.edges[at % body.edges.length]
        const inner = body.nodes.filter(({ type }) => type !== 'start' && type !== 'end' && type !== 'join')
        const node = inner[at % Math.max(1, inner.length)]
        if (what < 6) body = insertInto(body, edge?.id ?? '', insertable[what % 5] ?? 'task', (type) => type).body
        else if (what < 8 && node !== undefined) body = removeNode(body, node.id)
        else {
          const split = body.nodes.find(({ type }) => type === 'fork' || type === 'condition')
          if (split !== undefined) body = addBranch(body, split.id, 'more')
        }
        const wrong = checkTemplate(body).filter(({ problem }) => whole.has(problem))
        expect(wrong, JSON.stringify(body)).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})
