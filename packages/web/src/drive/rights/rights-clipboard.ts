// What the rights were copied of, to be pasted on others ([R211]); on this page alone.
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'

interface RightsClipboard {
  readonly from: Pick<ItemRecord, 'fId' | 'fType' | 'fName'> | undefined
}

export const useRightsClipboard = create<RightsClipboard>(() => ({ from: undefined }))
