// The tables of mails that people write, with their attachments.
import type { MailPerson, OutgoingState } from '@cloudoc/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

export interface Receivers {
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly bcc: readonly MailPerson[]
}

declare module '../../core/db/schema.ts' {
  interface Schema {
    outgoing_mail: {
      id: Generated<number>
      account_id: number
      mailbox_id: number
      version: number
      sender: Generated<string>
      state: OutgoingState
      people: JSONColumnType<Receivers>
      subject: string
      html: string
      text: string
      reply_of: number | null
      is_forward: boolean
      message_id: string
      send_at: Generated<number>
      problem: Generated<string>
      said: Generated<string>
      refused: Generated<string[]>
      modified_at: number
      created_at: number
    }
    mail_attachment: {
      id: Generated<number>
      outgoing_id: number
      blob_id: number
      item_id: Generated<number>
      name: string
      type: string
      size: number
    }
  }
}

export const outgoingTables = {
  outgoing_mail: { backup: 'kept', accounts: { account_id: 'ends' } },
  mail_attachment: { backup: 'kept', contents: ['blob_id'] },
} as const satisfies Tables
