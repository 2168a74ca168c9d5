// Feature: messages of conversations.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { otherContents } from '../../drive/scanning/index.ts'
import { talkAccessRecords } from './access-records.ts'
import { messageAudience } from './audience.ts'
import { removeExpiredFiles, removeFileRows, removeOldMessages, removeSealed, talkContents } from './files.ts'
import { conversationObjects, messageHandlers } from './index.ts'
import { cleanOldPicture } from './old-pictures.ts'
import { talkTables } from './tables.ts'
import { removeOldUploads } from './uploads.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const talkMessages = feature({
  wire: features.talkMessages,
  tables: talkTables,
  checks: [
    {
      says: 'no message is numbered beyond the position of its conversation',
      broken: sql`
        select 'conversation ' || c.id as what from talk_conversation c where c.last_number > c.position
          or exists (select 1 from talk_message m where m.conversation_id = c.id and m.number > c.last_number)`,
    },
    {
      says: 'a member of a conversation is one whose stay lasts',
      broken: sql`
        select 'conversation ' || m.conversation_id || ' person ' || m.account_id as what from talk_member m
        where m.is_member <> exists (select 1 from talk_stay s where s.conversation_id = m.conversation_id
          and s.account_id = m.account_id and s.until_position is null)`,
    },
    {
      says: 'nothing but its number and its sender is left of a recalled message',
      broken: sql`
        select 'message ' || id as what from talk_message
        where recalled_at is not null and (value <> '' or grams <> '{}' or data <> '{}' or file_id is not null)`,
    },
  ],
  open: (services) => ({
    contributions: [contribute(accessSources, talkAccessRecords), contribute(otherContents, talkContents)],
    handlers: messageHandlers(services, createCheckedContents(services)),
    objects: [conversationObjects],
    audiences: { 'talk.message': messageAudience },
    chores: [
      {
        name: 'expired files of conversations',
        everyMs: minuteMs,
        run: async () => (await removeExpiredFiles(services.db, services.now())) > 0,
      },
      {
        name: 'uploads to conversations that nobody completes',
        everyMs: hourMs,
        run: async () => (await removeOldUploads(services.db, services.blobs, services.now())) > 0,
      },
      {
        name: 'sealed contents of recalled messages',
        everyMs: minuteMs,
        run: async () => {
          const { setting } = await services.settings.current()
          return (await removeSealed(services.db, services.now(), setting.im_sealed_days * dayMs)) > 0
        },
      },
      {
        name: 'messages whose time is over',
        everyMs: hourMs,
        run: async () => {
          const { setting } = await services.settings.current()
          const kept = { user: setting.im_user_days, group: setting.im_group_days }
          let removed = 0
          for (const kind of ['user', 'group'] as const)
            if (kept[kind] > 0)
              removed += await removeOldMessages(services.db, kind, services.now() - kept[kind] * dayMs)
          return removed > 0
        },
      },
      { name: 'metadata of old pictures', everyMs: minuteMs, run: () => cleanOldPicture(services) },
      {
        name: 'rows of files that are gone',
        everyMs: hourMs,
        run: async () => (await removeFileRows(services.db)) > 0,
      },
    ],
  }),
})
