// The tables of applications for downloads.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    /** The items of an application, with the content of its folders when it was made. */
    application_item: {
      review_id: number
      item_id: number
      root_id: number
      f_type: 1 | 2
      name: string
      path: string
      size: number
      version: number
      secret_level: number
      result: 'approved' | 'rejected' | null
    }
  }
}

export const applicationTables = {
  application_item: { backup: 'kept' },
} as const satisfies Tables
