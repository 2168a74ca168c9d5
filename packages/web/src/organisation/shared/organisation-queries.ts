// The data these pages load, and its reload after a change.
import type { Answer, calls, Input } from '@cloudoc/contract'
import { codes, codeText } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'

export type PersonRow = Answer<typeof calls.getPeople>['list'][number]
export type PersonInfo = Answer<typeof calls.getPerson>
export type Department = Answer<typeof calls.getDepartments>['list'][number]
export type State = PersonRow['state']
export type Change = Omit<Input<typeof calls.changePeople>, 'userIds'>
export type Answers = Answer<typeof calls.changePeople>['list']

/** The maximum number of users in one call. */
export const maxPeoplePerCall = 1000

/** Loads all data of these pages again. */
export function refetchOrganisation(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['organisation'] })
}

export function useRoles() {
  return useQuery({ queryKey: ['organisation', 'roles'], queryFn: () => api.getRoleList({}) })
}

/** The direct child departments; without a parent, the company. */
export function departmentsBelow(parentId: number | undefined) {
  return {
    queryKey: ['organisation', 'departments', parentId ?? 'company'],
    queryFn: () => api.getDepartments(parentId === undefined ? {} : { parentId }),
  }
}

/**
 * Changes users, reports how many were changed, and shows which were not and why. With `undo` the message offers to
 * restore the previous state.
 */
export async function changePeople(
  people: readonly { readonly userId: number }[],
  change: Change,
  said: (n: number) => string,
  undo?: () => Promise<unknown>,
): Promise<Answers> {
  const { list } = await api.changePeople({ userIds: people.map(({ userId }) => userId), ...change })
  void refetchOrganisation()
  const refused = list.filter(({ result }) => result !== codes.success.code)
  const done = list.length - refused.length
  if (done > 0) {
    const action = { text: t('org.undo'), run: () => void undo?.().then(refetchOrganisation) }
    toast({ kind: 'success', text: said(done), ...(undo && { action }) })
  }
  if (refused.length === 1 && done === 0)
    toast({ kind: 'error', text: `${refused[0]?.name}：${codeText(refused[0]?.result ?? 0, currentLocale())}` })
  else if (refused.length > 0) await openWindow('organisation-answers', { list: refused, done })
  return list
}

/** Changes users with undo: each gets its previous value back. */
export function changeAndUndo<K extends 'state' | 'groupId' | 'secretLevel'>(
  people: readonly PersonRow[],
  key: K,
  value: PersonRow[K],
  said: (n: number) => string,
): Promise<Answers> {
  const undo = async (): Promise<void> => {
    for (const [before, them] of Map.groupBy(people, (person) => person[key]))
      await api.changePeople({ userIds: them.map(({ userId }) => userId), [key]: before })
  }
  return changePeople(people, { [key]: value }, said, undo)
}
