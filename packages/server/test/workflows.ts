// Small workflow templates for tests.
import type { TemplateBody } from '@cloudoc/contract'
import type { HandlerRule, TaskNode, TemplateEdge, TemplateNode } from '@cloudoc/domain'
import type { Person } from './harness.ts'

type Task = Extract<TemplateBody['nodes'][number], { type: 'task' }>
type AnyNode = TemplateBody['nodes'][number]

/** A node at which these people decide. */
export function taskNode(id: string, handlers: readonly HandlerRule[], more: Partial<TaskNode> = {}): Task {
  const node: TaskNode = {
    ...{ id, name: id, type: 'task', handlers, need: { of: 'one', count: 1 }, refusal: 'ends' },
    ...{ empty: { to: 'superior' }, deadline: null, mayReplace: false },
    ...more,
  }
  return node as Task
}

export const named = (...people: readonly (Person | number)[]): HandlerRule => ({
  by: 'people',
  ids: people.map((one) => (typeof one === 'number' ? one : one.userId)),
})

/** An edge between two nodes. */
export const edge = (from: string, to: string, more: Partial<TemplateEdge> = {}): TemplateEdge => ({
  ...{ id: `${from}-${to}`, from, to, when: [], otherwise: false },
  ...more,
})

/** A template whose nodes follow each other, from a start to an end. */
export function straight(nodes: readonly TemplateNode[], more: Partial<TemplateBody> = {}): TemplateBody {
  const all = [
    { id: 'start', name: '发起', type: 'start' },
    ...nodes,
    { id: 'end', name: '结束', type: 'end' },
  ] as AnyNode[]
  const edges = all.slice(1).map(({ id }, n) => edge(all[n]?.id ?? '', id))
  return {
    nodes: all,
    edges: edges as TemplateBody['edges'],
    fields: [],
    launcherDecides: true,
    skipsSame: false,
    ...more,
  }
}

/** Publishes a template; returns its id. */
export async function publish(admin: Person, templateName: string, body: TemplateBody): Promise<number> {
  const { templateId } = await admin.call('saveProcessTemplate', { templateId: 0, templateName, body, baseVersion: 0 })
  const { version, problems } = await admin.call('publishProcessTemplate', { templateId, baseVersion: 0 })
  if (version === 0) throw new Error(`${templateName}: ${JSON.stringify(problems)}`)
  return templateId
}

/** A published template, and a draft of a process on it. */
export async function smallProcess(admin: Person): Promise<{ processTemplateId: number; processId: number }> {
  const processTemplateId = await publish(admin, '样例流程', straight([taskNode('review', [named(admin)])]))
  const { processId } = await admin.call('createProcess', { templateId: processTemplateId, title: '样例' })
  return { processTemplateId, processId }
}
