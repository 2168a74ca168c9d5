// Launching an ended process again: a new one with its values, for what the template has now.
import type { TemplateBody } from '@cloudoc/contract'
import type { ProcessView } from '../shared/workflow-queries.ts'

type Content = Pick<ProcessView, 'processName' | 'form' | 'names' | 'comments' | 'chosen' | 'folderId'>

/** Whether a process has come to nothing, or its file has changed since: those are launched again, by their launcher. */
export function mayRelaunch(
  {
    launcherId,
    state,
    version,
    newestVersion,
  }: Pick<ProcessView, 'launcherId' | 'state' | 'version' | 'newestVersion'>,
  accountId: number,
): boolean {
  if (launcherId !== accountId) return false
  return state === 'failed' || state === 'withdrawn' || (state === 'passed' && newestVersion > version)
}

/** What a new process begins with. Fields and nodes that the template has no longer are left out. */
export function contentFor(process: Content, body: TemplateBody): Content {
  const fields = new Set(body.fields.map(({ id }) => id))
  const choosing = new Set(
    body.nodes.flatMap((node) =>
      node.type === 'task' && node.handlers.some((rule) => rule.by === 'chosen' && rule.from === 'launcher')
        ? [node.id]
        : [],
    ),
  )
  const { processName, names, comments, folderId } = process
  return {
    ...{ processName, names, comments, folderId },
    form: Object.fromEntries(Object.entries(process.form).filter(([field]) => fields.has(field))),
    chosen: Object.fromEntries(Object.entries(process.chosen).filter(([node]) => choosing.has(node))),
  }
}
