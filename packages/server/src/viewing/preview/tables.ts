// The table of renditions.
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
      /** Pages made by LibreOffice, whatever the kind. */
      by_office: Generated<boolean>
      problem: CodeName | null
      /** For a thumbnail: the number of pages and the duration of its file; 0 if unknown. */
      pages: Generated<number>
      length_ms: Generated<number>
      size: number
      used_at: number
    }
    /** Pages available while the rest of a rendition is being made, several per row. */
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
    /** The files that a device keeps for reading offline. */
    offline_mark: { device_id: number; item_id: number; marked_at: number }
    /** Until when the conversions of a person occupy a converter of their own, for a fair order. */
    conversion_usage: {
      person: string
      until: number
    }
  }
}

/** What is made of a content: a rendition for viewing, a thumbnail, its text, a PDF to download, or its pages. */
export type Form = 'view' | 'thumbnail' | 'words' | 'pdf' | 'pages'

export const previewTables = {
  // Renditions can be made again, so they are not in backups. They do not protect their source from collection and are
  // removed with it.
  rendition: { backup: 'left', contents: ['made_id'] },
  rendition_pages: { backup: 'left', contents: ['made_id'] },
  conversion_usage: { backup: 'left' },
  offline_mark: { backup: 'kept' },
} as const satisfies Tables
