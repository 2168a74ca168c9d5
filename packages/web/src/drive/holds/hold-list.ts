// What the page of holds, its drawer and its windows share.
import type { Answer, calls } from '@cloudoc/contract'

export type Hold = Answer<typeof calls.getHolds>['list'][number]

export const holdsKey = ['admin', 'holds'] as const
