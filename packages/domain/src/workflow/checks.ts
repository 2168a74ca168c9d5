// What is wrong with a template, each problem at its node. A template with problems is stored as a draft, but not
// published.
import { edgesFrom, isAutomatic, limitsOfTemplates, nodeOf, type Template, type TemplateNode } from './template.ts'

export const templateProblems = [
  'noStart',
  'severalStarts',
  'noEnd',
  'tooLarge',
  'sameId',
  'lostEdge',
  'noName',
  'unreachable',
  'deadEnd',
  'severalExits',
  'noHandler',
  'noOneToAskLater',
  'noOneToPassOnTo',
  'countTooHigh',
  'firstHasNoBefore',
  'noOtherwise',
  'noCondition',
  'unknownField',
  'oneBranch',
  'branchWithoutJoin',
  'noExit',
  'emptyLoop',
  'fieldWithoutName',
  'noUploadRight',
] as const
export type TemplateProblemName = (typeof templateProblems)[number]

/** A problem; `node` is empty if it concerns the whole template. */
export interface TemplateProblem {
  readonly node: string
  readonly problem: TemplateProblemName
}

/** Whatever is wrong with a template. Rights on folders are the server's to add. */
export function checkTemplate(template: Template): readonly TemplateProblem[] {
  const found: TemplateProblem[] = []
  const say = (node: string, problem: TemplateProblemName): void => void found.push({ node, problem })
  const { nodes, edges, fields } = template
  const start = nodes.find(({ type }) => type === 'start')
  if (nodes.length > limitsOfTemplates.nodes || edges.length > limitsOfTemplates.edges) say('', 'tooLarge')
  if (nodes.filter(({ type }) => type === 'start').length > 1) say('', 'severalStarts')
  if (!nodes.some(({ type }) => type === 'end')) say('', 'noEnd')
  const ids = new Set(nodes.map(({ id }) => id))
  if (ids.size < nodes.length || new Set(edges.map(({ id }) => id)).size < edges.length) say('', 'sameId')
  for (const { from, to } of edges) {
    if (!ids.has(from)) say(to, 'lostEdge')
    else if (!ids.has(to)) say(from, 'lostEdge')
  }
  if (fields.some(({ name }) => name.trim() === '')) say('', 'fieldWithoutName')
  if (start === undefined) {
    say('', 'noStart')
    return found
  }
  for (const node of nodes) checkNode(template, node, say)
  checkGraph(template, start.id, say)
  return found
}

type Say = (node: string, problem: TemplateProblemName) => void

function checkNode(template: Template, node: TemplateNode, say: Say): void {
  const exits = edgesFrom(template, node.id)
  if (node.type !== 'end' && exits.length === 0) say(node.id, 'deadEnd')
  if (node.type === 'end' && exits.length > 0) say(node.id, 'severalExits')
  if (!['condition', 'fork', 'end'].includes(node.type) && exits.length > 1) say(node.id, 'severalExits')
  if (node.type === 'condition') checkCondition(template, node.id, say)
  if (node.type === 'fork' && exits.length < 2) say(node.id, 'oneBranch')
  if (node.type !== 'task' && node.type !== 'cc') return
  if (node.name.trim() === '') say(node.id, 'noName')
  const names = ({ handlers }: { handlers: typeof node.handlers }): boolean =>
    handlers.some((rule) => rule.by !== 'people' || rule.ids.length > 0)
  if (!names(node)) say(node.id, 'noHandler')
  if (node.handlers.some((rule) => rule.by === 'people' && rule.ids.length > limitsOfTemplates.people))
    say(node.id, 'tooLarge')
  if (node.type !== 'task') return
  if (node.empty.to === 'people' && node.empty.ids.length === 0) say(node.id, 'noOneToAskLater')
  if (node.deadline?.action === 'passOn' && node.deadline.to.length === 0) say(node.id, 'noOneToPassOnTo')
  const fixed = node.handlers.every(({ by }) => by === 'people')
  const people = new Set(node.handlers.flatMap((rule) => (rule.by === 'people' ? rule.ids : [])))
  if (node.need.of === 'count' && (node.need.count < 1 || (fixed && node.need.count > people.size)))
    say(node.id, 'countTooHigh')
  const isFirst = template.edges.some(({ from, to }) => to === node.id && nodeOf(template, from)?.type === 'start')
  if (isFirst && node.handlers.some((rule) => rule.by === 'chosen' && rule.from === 'before'))
    say(node.id, 'firstHasNoBefore')
}

const facts = new Set(['launcher.department', 'launcher.level', 'file.type', 'file.level'])

function checkCondition(template: Template, id: string, say: Say): void {
  const exits = edgesFrom(template, id)
  if (exits.filter(({ otherwise }) => otherwise).length !== 1) say(id, 'noOtherwise')
  if (exits.some(({ otherwise, when }) => !otherwise && when.length === 0)) say(id, 'noCondition')
  const known = new Set(template.fields.map((field) => `form.${field.id}`))
  if (exits.some(({ when }) => when.some(({ of }) => !facts.has(of) && !known.has(of)))) say(id, 'unknownField')
}

/** All nodes that are reached from some, along the edges or against them. */
function reached(template: Template, from: readonly string[], against = false): Set<string> {
  const seen = new Set(from)
  const waiting = [...from]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const edge of template.edges) {
      const [here, there] = against ? [edge.to, edge.from] : [edge.from, edge.to]
      if (here !== id || seen.has(there)) continue
      seen.add(there)
      waiting.push(there)
    }
  }
  return seen
}

function checkGraph(template: Template, start: string, say: Say): void {
  const { nodes } = template
  const fromStart = reached(template, [start])
  const ends = nodes.filter(({ type }) => type === 'end').map(({ id }) => id)
  const toEnd = reached(template, ends, true)
  for (const { id } of nodes) {
    if (!fromStart.has(id)) say(id, 'unreachable')
    else if (!toEnd.has(id) && edgesFrom(template, id).length > 0) say(id, 'noExit')
  }
  // A loop in which nobody acts would never end.
  const automatic = nodes.filter(isAutomatic)
  const quiet: Template = {
    ...template,
    edges: template.edges.filter(({ from, to }) => [from, to].every((id) => automatic.some((node) => node.id === id))),
  }
  for (const { id } of automatic) {
    const next = edgesFrom(quiet, id).map(({ to }) => to)
    if (next.length > 0 && reached(quiet, next).has(id)) say(id, 'emptyLoop')
  }
  for (const fork of nodes.filter(({ type }) => type === 'fork')) {
    const branches = edgesFrom(template, fork.id).map(({ to }) => reached(template, [to]))
    const meets = nodes.some(({ id, type }) => type === 'join' && branches.every((branch) => branch.has(id)))
    if (branches.length > 1 && !meets) say(fork.id, 'branchWithoutJoin')
  }
}
