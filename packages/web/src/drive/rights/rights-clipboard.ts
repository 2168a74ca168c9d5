// What the rights were copied of, to be pasted on others ([R211]); on this page alone.
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'

interface Copied {
  readonly from: Pick<ItemRecord, 'fId' | 'fType' | 'fName'> | undefined
}

export const useCopiedRights = create<Copied>(() => ({ from: undefined }))
