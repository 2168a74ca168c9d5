// Data of processes and templates.
import type { ProcessDetail, ProcessList } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'

/** The prefix of the cache keys of all processes and templates. */
export const workflowKey = ['workflow'] as const
const templatesKey = [...workflowKey, 'templates'] as const

/** The rows of one page of a list. */
export const perPage = 100

/** Loads everything shown about processes again, and the counters. */
export function refetchWorkflows(): void {
  void queryClient.invalidateQueries({ queryKey: workflowKey })
  // The badge of the rail sums the counters of all approvals.
  void queryClient.invalidateQueries({ queryKey: ['approvals'] })
}

export interface ListFilter {
  readonly list: ProcessList
  readonly state: string
  readonly keyword: string
  readonly page: number
}

export const listQuery = ({ list, state, keyword, page }: ListFilter) => ({
  queryKey: [...workflowKey, 'list', list, state, keyword, page],
  queryFn: () => api.getProcessList({ list, state, keyword, from: page * perPage, rows: perPage }),
})

export const countQuery = (list: ProcessList) => ({
  queryKey: [...workflowKey, 'count', list],
  queryFn: () => api.getProcessCount({ list }, { quiet: true }),
})

export const processQuery = (processId: number) => ({
  queryKey: [...workflowKey, 'process', processId],
  queryFn: async () => viewOf(await api.getProcess({ processId }, { quiet: true })),
})

export const removedQuery = (processId: number) => ({
  queryKey: [...workflowKey, 'removed', processId],
  queryFn: () => api.getRemovedProcess({ processId }, { quiet: true }),
})

/** A process with its lists of values read into objects. */
export interface ProcessView extends Omit<ProcessDetail, 'form' | 'names' | 'chosen'> {
  readonly form: Readonly<Record<string, string>>
  /** Names by `user:1`, `file:1`, `folder:1`. */
  readonly names: Readonly<Record<string, string>>
  readonly chosen: Readonly<Record<string, readonly number[]>>
}

function viewOf({ form, names, chosen, ...process }: ProcessDetail): ProcessView {
  return {
    ...process,
    form: Object.fromEntries(form.map(({ field, value }) => [field, value])),
    names: namesOf(names),
    chosen: Object.fromEntries(chosen.map(({ node, userIdArray }) => [node, userIdArray])),
  }
}

/** Names by their keys. */
export const namesOf = (names: ProcessDetail['names']): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map(({ key, name }) => [key, name]))

/** Values as the calls take them. */
export const valuesOf = (form: Readonly<Record<string, string>>) =>
  Object.entries(form).map(([field, value]) => ({ field, value }))

/** Chosen people as the calls take them. */
export const chosenOf = (chosen: Readonly<Record<string, readonly number[]>>) =>
  Object.entries(chosen).map(([node, who]) => ({ node, userIdArray: [...who] }))

export const templatesQuery = {
  queryKey: [...templatesKey, 'offered'],
  queryFn: () => api.getProcessTemplateList({}, { quiet: true }),
}

export const templateQuery = (templateId: number) => ({
  queryKey: [...templatesKey, 'one', templateId],
  queryFn: () => api.getProcessTemplate({ templateId }, { quiet: true }),
})

export const managedTemplatesQuery = {
  queryKey: [...templatesKey, 'managed'],
  queryFn: () => api.getProcessTemplates({}, { quiet: true }),
}

export const draftQuery = (templateId: number) => ({
  queryKey: [...templatesKey, 'draft', templateId],
  queryFn: () => api.getProcessTemplateDraft({ templateId }, { quiet: true }),
  staleTime: 0,
})
