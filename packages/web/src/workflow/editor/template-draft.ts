// Changes to a template while it is drawn: pure, so that each can be undone. The graph is laid out anew after each, so a
// node is put into an edge, not onto a place.
import type { TemplateBody } from '@cloudoc/contract'

export type Node = TemplateBody['nodes'][number]
export type Edge = TemplateBody['edges'][number]
export type TaskNode = Extract<Node, { type: 'task' }>
export type Field = TemplateBody['fields'][number]

/** What can be put into an edge. */
export const insertable = ['task', 'condition', 'fork', 'cc', 'archive'] as const
export type Insertable = (typeof insertable)[number]

/** An id that no node, edge or field has. */
export function freshId(body: TemplateBody, prefix: string): string {
  const used = new Set([...body.nodes, ...body.edges, ...body.fields].map(({ id }) => id))
  for (let n = 1; ; n += 1) if (!used.has(`${prefix}${n}`)) return `${prefix}${n}`
}

const newEdge = (body: TemplateBody, from: string, to: string, more: Partial<Edge> = {}): Edge => ({
  ...{ id: freshId(body, 'e'), from, to, when: [], otherwise: false },
  ...more,
})

export const newTask = (id: string, name: string): TaskNode => ({
  ...{ id, name, type: 'task', handlers: [], need: { of: 'one', count: 1 }, refusal: 'ends' },
  ...{ empty: { to: 'superior' }, deadline: null, mayReplace: false },
})

/** A template to begin with: one node at which somebody decides. */
export function newBody(names: { readonly start: string; readonly task: string; readonly end: string }): TemplateBody {
  return {
    nodes: [
      { id: 'start', name: names.start, type: 'start' },
      newTask('n1', names.task),
      { id: 'end', name: names.end, type: 'end' },
    ],
    edges: [
      { id: 'e1', from: 'start', to: 'n1', when: [], otherwise: false },
      { id: 'e2', from: 'n1', to: 'end', when: [], otherwise: false },
    ],
    fields: [],
    launcherDecides: false,
    skipsSame: true,
  }
}

/** A growing copy of a template. */
class Draft {
  body: TemplateBody

  constructor(body: TemplateBody) {
    this.body = body
  }

  node(node: Node): Node {
    this.body = { ...this.body, nodes: [...this.body.nodes, node] }
    return node
  }

  edge(from: string, to: string, more: Partial<Edge> = {}): void {
    this.body = { ...this.body, edges: [...this.body.edges, newEdge(this.body, from, to, more)] }
  }

  id(): string {
    return freshId(this.body, 'n')
  }
}

/** Puts a node, or a pair of branches, into an edge. Returns the template and the id of the new node. */
export function insertInto(
  body: TemplateBody,
  edgeId: string,
  type: Insertable,
  nameOf: (type: Insertable) => string,
): { readonly body: TemplateBody; readonly id: string } {
  const old = body.edges.find(({ id }) => id === edgeId)
  if (old === undefined) return { body, id: '' }
  const draft = new Draft(body)
  const id = draft.id()
  const after = old.to
  const move = (to: string): void => {
    draft.body = { ...draft.body, edges: draft.body.edges.map((one) => (one.id === edgeId ? { ...one, to } : one)) }
  }
  const task = (): string => draft.node(newTask(draft.id(), nameOf('task'))).id
  switch (type) {
    case 'task':
      draft.node(newTask(id, nameOf('task')))
      draft.edge(id, after)
      break
    case 'cc':
      draft.node({ id, name: nameOf('cc'), type: 'cc', handlers: [] })
      draft.edge(id, after)
      break
    case 'archive':
      draft.node({ id, name: nameOf('archive'), type: 'archive', folderId: 0, pattern: '{number} {title}' })
      draft.edge(id, after)
      break
    case 'condition': {
      draft.node({ id, name: nameOf('condition'), type: 'condition' })
      const branch = task()
      draft.edge(id, branch, { when: [{ of: 'launcher.level', is: 'ge', value: '1' }] })
      draft.edge(branch, after)
      draft.edge(id, after, { otherwise: true })
      break
    }
    case 'fork': {
      draft.node({ id, name: nameOf('fork'), type: 'fork' })
      const join = draft.node({ id: draft.id(), name: '', type: 'join' }).id
      for (let n = 0; n < 2; n += 1) {
        const branch = task()
        draft.edge(id, branch)
        draft.edge(branch, join)
      }
      draft.edge(join, after)
    }
  }
  move(id)
  return { body: draft.body, id }
}

/** One more branch of a fork or a condition, to where the others lead. */
export function addBranch(body: TemplateBody, id: string, name: string): TemplateBody {
  const exits = body.edges.filter(({ from }) => from === id)
  const node = body.nodes.find((one) => one.id === id)
  const first = exits[0]
  if (first === undefined || node === undefined) return body
  const draft = new Draft(body)
  const branch = draft.node(newTask(draft.id(), name)).id
  const meets = body.edges.find(({ from }) => from === first.to)?.to ?? first.to
  const isCondition = node.type === 'condition'
  draft.edge(id, branch, isCondition ? { when: [{ of: 'launcher.level', is: 'ge', value: '1' }] } : {})
  draft.edge(branch, meets)
  return draft.body
}

/** Takes a node out: what led to it leads to where it led; what is not reached any more goes too. */
export function removeNode(body: TemplateBody, id: string): TemplateBody {
  const exits = body.edges.filter(({ from }) => from === id)
  const next = (exits.find(({ otherwise }) => otherwise) ?? exits[0])?.to
  if (next === undefined) return body
  const edges = body.edges
    .filter(({ from }) => from !== id)
    .map((edge) => (edge.to === id ? { ...edge, to: next } : edge))
    .filter(({ from, to }) => from !== to)
  return tidy({ ...body, edges, nodes: body.nodes.filter((node) => node.id !== id) })
}

/** Takes a branch of a fork or a condition out. */
export const removeEdge = (body: TemplateBody, id: string): TemplateBody =>
  tidy({ ...body, edges: body.edges.filter((edge) => edge.id !== id) })

/** Without nodes that nothing leads to, and without joins of a single branch. */
function tidy(body: TemplateBody): TemplateBody {
  const seen = new Set<string>()
  const waiting = body.nodes.filter(({ type }) => type === 'start').map(({ id }) => id)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    for (const { from, to } of body.edges) if (from === id) waiting.push(to)
  }
  const nodes = body.nodes.filter(({ id, type }) => seen.has(id) || type === 'end')
  const edges = body.edges.filter(({ from }) => seen.has(from))
  const lonely = nodes.find(({ id, type }) => type === 'join' && edges.filter(({ to }) => to === id).length < 2)
  const reached: TemplateBody = { ...body, nodes, edges }
  return lonely === undefined ? reached : removeNode(reached, lonely.id)
}

/** Replaces a node. */
export const withNode = (body: TemplateBody, node: Node): TemplateBody => ({
  ...body,
  nodes: body.nodes.map((one) => (one.id === node.id ? node : one)),
})

/** Replaces an edge. */
export const withEdge = (body: TemplateBody, edge: Edge): TemplateBody => ({
  ...body,
  edges: body.edges.map((one) => (one.id === edge.id ? edge : one)),
})
