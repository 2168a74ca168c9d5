// The table of what was made of contents.
import type { CodeName } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    rendition: {
      blob_id: number
      form: Form
      kind: string
      readers: number
      made_id: number | null
      /** Pages that LibreOffice has made, whatever the kind. */
      by_office: Generated<boolean>
      problem: CodeName | null
      /** Beside a small picture: how many pages there are, and how long it lasts; 0 where that is not known. */
      pages: Generated<number>
      length_ms: Generated<number>
      size: number
      used_at: number
    }
    /** Pages that are there while the rest of a rendition is being made, some in each row. */
    rendition_pages: {
      blob_id: number
      kind: string
      first: number
      pages: number
      readers: number
      made_id: number
      by_office: boolean
      made_at: number
    }
  }
}

/** What is made of a content: something to be looked at, a small picture, or its words. */
export type Form = 'view' | 'thumbnail' | 'words'

export const previewTables = {
  // It is made again; its source is not kept by it, and takes it along.
  rendition: { backup: 'left', contents: ['made_id'] },
  rendition_pages: { backup: 'left', contents: ['made_id'] },
} as const satisfies Tables
