// The list of linked servers that the page and its windows share.
import type { Answer, calls } from '@cloudoc/contract'
import { queryClient } from '../../core/call/query.ts'

export type Linked = Answer<typeof calls.getLinkedServers>['list'][number]

export const linkedKey = ['admin', 'linkedServers'] as const

export const refetchLinked = (): Promise<void> => queryClient.invalidateQueries({ queryKey: linkedKey })
