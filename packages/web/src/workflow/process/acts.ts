// Acts on processes: each answers whether it was done, and says why not.
import type { ProcessRow } from '@cloudoc/contract'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { chosenOf, refetchWorkflows } from '../shared/workflow-queries.ts'

/** The task of the caller, in the state in which they saw it. */
export type Acted = Pick<ProcessRow, 'processId' | 'taskId' | 'rev'>

export const acted = ({ processId, taskId, rev }: Acted): Acted => ({ processId, taskId, rev })

/** Does something and says how it went. */
export async function perform(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('workflow.failed') })
    return false
  } finally {
    refetchWorkflows()
  }
}

/** Asks for one person. */
export async function pickOne(title: string): Promise<{ userId: number; accountName: string } | undefined> {
  const [person] = (await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })) ?? []
  return person
}

export const passOne = (row: Acted, comments: string, chosen: Record<string, number[]> = {}) =>
  perform(
    () => api.passNode({ ...acted(row), comments, chosen: chosenOf(chosen) }, { quiet: true }),
    t('workflow.done.passed'),
  )

export const failOne = (row: Acted, comments: string) =>
  perform(() => api.failNode({ ...acted(row), comments }, { quiet: true }), t('workflow.done.failed'))

export const backOne = (row: Acted, node: string, name: string, comments: string) =>
  perform(
    () => api.backNode({ ...acted(row), node, comments }, { quiet: true }),
    t('workflow.done.back', { node: name }),
  )

/** Hands the task on to somebody. */
export async function handOn(row: Acted, comments: string): Promise<boolean> {
  const person = await pickOne(t('workflow.act.handOn'))
  if (person === undefined) return false
  return perform(
    () => api.handOnNode({ ...acted(row), userId: person.userId, comments }, { quiet: true }),
    t('workflow.done.handedOn', { name: isolated(person.accountName) }),
  )
}

/** Asks somebody else before or after the caller. */
export async function addHandler(row: Acted, place: 'before' | 'after', comments: string): Promise<boolean> {
  const person = await pickOne(t(place === 'before' ? 'workflow.act.addBefore' : 'workflow.act.addAfter'))
  if (person === undefined) return false
  return perform(
    () => api.addNodeHandler({ ...acted(row), userId: person.userId, place, comments }, { quiet: true }),
    t('workflow.done.added', { name: isolated(person.accountName) }),
  )
}

/** Chooses the handlers of a node that has none. */
export async function assignNode(row: Acted): Promise<boolean> {
  const title = t('workflow.act.assign')
  const people = await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })
  if (people === undefined || people.length === 0) return false
  const userIdArray = people.map(({ userId }) => userId)
  return perform(() => api.assignNode({ ...acted(row), userIdArray }, { quiet: true }), t('workflow.done.assigned'))
}

/** Archives again in the same folder: the right to it is back, or there is room again. */
export const retryArchive = (row: Acted): Promise<boolean> =>
  perform(() => api.of(mainServer).setProcessFolder(acted(row), { quiet: true }), t('workflow.done.again'))

/** Chooses another archive folder. */
export async function changeFolder(row: Acted): Promise<boolean> {
  const folder = await openWindow('drive-folder-pick', {
    ...{ title: t('workflow.act.folder'), hint: t('workflow.folder.hint'), verb: 'copy' },
  })
  if (folder === undefined) return false
  return perform(
    () => api.of(mainServer).setProcessFolder({ ...acted(row), folderId: folder.fId }, { quiet: true }),
    t('workflow.done.folder'),
  )
}

/** Replaces the attachment by another file of the same type. */
export async function replaceFile(row: Acted & { readonly extName: string }, comments: string): Promise<boolean> {
  const picked = await openWindow('drive-item-pick', {
    ...{ title: t('workflow.act.replace'), hint: t('workflow.replace.hint', { ext: row.extName }) },
    ...{ what: 'files', multiple: false },
  })
  const [file] = picked ?? []
  if (file === undefined) return false
  return perform(
    () => api.of(mainServer).updateProcessFile({ ...acted(row), fileId: file.fId, comments }, { quiet: true }),
    t('workflow.done.replaced', { name: isolated(file.fName) }),
  )
}

/** Takes a process back, after a question. */
export async function withdraw({ processId, revision }: Pick<ProcessRow, 'processId' | 'revision'>): Promise<boolean> {
  const title = t('workflow.act.withdraw')
  if (!(await confirmBox({ title, text: t('workflow.withdraw.sure'), ok: title, danger: true }))) return false
  return perform(() => api.withdrawProcess({ processId, revision }, { quiet: true }), t('workflow.done.withdrawn'))
}

export const remind = ({ processId }: Pick<ProcessRow, 'processId'>) =>
  perform(() => api.remindProcess({ processId }, { quiet: true }), t('workflow.done.reminded'))

/** Deletes a draft, after a question. */
export async function deleteDraft({ processId }: Pick<ProcessRow, 'processId'>): Promise<boolean> {
  const title = t('workflow.act.delete')
  if (!(await confirmBox({ title, text: t('workflow.delete.sure'), ok: title, danger: true }))) return false
  return perform(() => api.deleteProcess({ processId }, { quiet: true }), t('workflow.done.deleted'))
}

/** The answer of one process of several that were passed at once. */
export interface PassedOne {
  readonly processId: number
  readonly processName: string
  readonly failure: string | undefined
}

/** Passes several; each answers by itself. */
export async function passSeveral(rows: readonly ProcessRow[]): Promise<readonly PassedOne[]> {
  const answers: PassedOne[] = []
  for (const row of rows) {
    const { processId, processName } = row
    try {
      await api.passNode({ ...acted(row), comments: '' }, { quiet: true })
      answers.push({ processId, processName, failure: undefined })
    } catch (failure) {
      const text = failure instanceof CallError ? failure.message : t('workflow.failed')
      answers.push({ processId, processName, failure: text })
    }
  }
  refetchWorkflows()
  return answers
}
