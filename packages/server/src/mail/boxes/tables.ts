// The table of mailboxes. Passwords are sealed (core/secrets.ts).

import type { MailboxState } from '@cloudoc/contract'
import { type MailProtocol } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    mailbox: {
      id: Generated<number>
      account_id: number
      address: string
      login_name: string
      sender_name: string
      aliases: Generated<string[]>
      protocol: MailProtocol
      imap_host: string
      imap_port: number
      pop_host: string
      pop_port: number
      smtp_host: string
      smtp_port: number
      exchange_url: string
      ssl: boolean
      fetches: boolean
      is_default: boolean
      password: string
      state: Generated<MailboxState>
      problem: Generated<string>
      said: Generated<string>
      fetched_at: Generated<number>
      next_fetch: number
      /** The process whose connection hears of new mail at once, and until when that holds. */
      live_holder: Generated<string>
      live_until: Generated<number>
      /** Sealed tokens of Outlook; empty where a password signs in. */
      outlook_tokens: Generated<string>
      /** Bytes at the server; a total of 0: it does not say. */
      space_used: Generated<number>
      space_total: Generated<number>
      created_at: number
    }
  }
}

export const mailboxTables = {
  mailbox: {
    backup: 'kept',
    accounts: { account_id: 'ends' },
    refusals: { mailbox_address: 'alreadyExists' },
  },
} as const satisfies Tables
