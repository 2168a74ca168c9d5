// The tables of conversations, memberships, messages and files of messages.
import type { TalkDataType, TalkRole } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Jsonb } from '../../core/db/schema.ts'
import type { Tables } from '../../core/db/tables.ts'
import type { SealedContent } from './recalled.ts'
import type { StoredTalkData } from './records.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    talk_conversation: {
      id: Identity
      kind: 'user' | 'group'
      low_id: number | null
      high_id: number | null
      name: Generated<string>
      search_text: Generated<string>
      founder_id: number | null
      picture_id: Generated<string>
      announcement: Generated<string>
      announced_by: Generated<number | null>
      announced_at: Generated<number | null>
      all_muted: Generated<boolean>
      leaders_mention_all: Generated<boolean>
      approves_invites: Generated<boolean>
      shows_history: Generated<boolean>
      /** Of its last change, and of its last message. */
      position: Generated<number>
      last_number: Generated<number>
      last_at: number
      created_at: number
      dissolved_at: Generated<number | null>
      /** The library whose people it is for. */
      library_id: Generated<number | null>
    }
    talk_member: {
      conversation_id: number
      account_id: number
      role: Generated<TalkRole>
      is_member: Generated<boolean>
      joined_at: number
      read_number: Generated<number>
      marked_unread: Generated<boolean>
      muted: Generated<boolean>
      pinned_at: Generated<number | null>
      hidden_position: Generated<number | null>
      read_announcement_at: Generated<number | null>
      draft: Generated<string>
      draft_at: Generated<number | null>
    }
    talk_stay: {
      conversation_id: number
      account_id: number
      after_position: number
      until_position: Generated<number | null>
    }
    talk_invitation: { conversation_id: number; account_id: number; invited_by: number; created_at: number }
    talk_message: {
      id: Identity
      conversation_id: number
      number: number
      changed: number
      uuid: string
      sender_id: number
      type: TalkDataType
      value: string
      data: Jsonb<StoredTalkData>
      quote: number | null
      mentions: Generated<number[]>
      file_id: number | null
      grams: Generated<string[]>
      created_at: number
      edited_at: Generated<number | null>
      edited_position: Generated<number | null>
      recalled_at: Generated<number | null>
      sealed: NullableJsonb<SealedContent>
    }
    talk_reaction: { conversation_id: number; number: number; account_id: number; emoji: string; position: number }
    talk_file: {
      id: Identity
      account_id: number
      conversation_id: number
      name: string
      size: number
      blob_id: number | null
      width: number | null
      height: number | null
      created_at: number
      expires_at: number
      is_checking: Generated<boolean>
      /** Its metadata were removed. */
      is_picture: Generated<boolean>
      /** When its metadata are to be removed, of one that was sent before all pictures lost them. */
      clean_at: Generated<number | null>
      uninspected_by: Generated<number | null>
    }
    talk_upload: {
      id: string
      account_id: number
      conversation_id: number
      name: string
      size: number
      part_size: number
      width: number | null
      height: number | null
      sha256: Buffer | null
      is_picture: Generated<boolean>
      file_id: Generated<number | null>
      expires_at: number
    }
    talk_upload_part: { upload_id: string; number: number; tag: string; size: number }
    talk_open: {
      conversation_id: number
      session_id: number
      account_id: number
      typing_until: number
      seen_at: number
    }
  }
}

export const talkTables = {
  talk_conversation: {
    backup: 'kept',
    accounts: { low_id: 'stays', high_id: 'stays', founder_id: 'passes', announced_by: 'stays' },
    refusals: { talk_conversation_library: 'alreadyExists' },
  },
  talk_member: { backup: 'kept', accounts: { account_id: 'stays' } },
  talk_stay: { backup: 'kept', accounts: { account_id: 'stays' } },
  talk_invitation: { backup: 'kept', accounts: { account_id: 'ends', invited_by: 'stays' } },
  talk_message: {
    backup: 'kept',
    accounts: { sender_id: 'stays' },
    refusals: { talk_message_uuid: 'alreadyExists' },
  },
  talk_reaction: { backup: 'kept', accounts: { account_id: 'stays' } },
  talk_file: { backup: 'kept', accounts: { account_id: 'stays', uninspected_by: 'stays' }, contents: ['blob_id'] },
  talk_upload: { backup: 'left', accounts: { account_id: 'ends' } },
  talk_upload_part: { backup: 'left' },
  talk_open: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
