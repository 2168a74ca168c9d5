// The tables of the tree: items and their sums.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    item: ItemTable
    tally: {
      id: Identity
      library_id: number
      account_id: number
      folder_id: number | null
      bytes: number
      children: number
    }
    usage_total: { library_id: number; account_id: number; bytes: number }
    child_total: { folder_id: number; children: number }
    usage_day: { day: number; library_id: number; account_id: number; bytes: number }
    library_total: { library_id: number; bytes: number }
  }
}

export const treeTables = {
  item: {
    backup: 'kept',
    accounts: {
      created_by: 'stays',
      modified_by: 'stays',
      deleted_by: 'stays',
      editor_id: 'ends',
      uninspected_by: 'stays',
    },
    inItemRecord: true,
    refusals: { item_name: 'alreadyExists', item_associated: 'associatedSameName' },
  },
  tally: { backup: 'kept', accounts: { account_id: 'stays' } },
  usage_total: { backup: 'kept', accounts: { account_id: 'stays' } },
  usage_day: { backup: 'kept', accounts: { account_id: 'stays' } },
  child_total: { backup: 'kept' },
  library_total: { backup: 'kept' },
} as const satisfies Tables
