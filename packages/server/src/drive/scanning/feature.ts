// The scanning feature. Without a configured scanner nothing is scanned.

import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type Actor, accountOf } from '../../core/actor.ts'
import type { Tx } from '../../core/db/database.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../content/index.ts'
import { scannerAddress, scannerOf } from './address.ts'
import {
  closeUninspected,
  openAll,
  otherContents,
  scanExistingContents,
  scanJob,
  scanNewContents,
  scanningHandlers,
} from './index.ts'

/** Existing content is scanned in the background, after new content. */
const restEveryMs = 10_000
const retryMs = 24 * 60 * 60_000

export const scanning = feature({
  wire: features.scanning,
  open(services) {
    const { db, now, settings } = services
    const scanner = scannerAddress(settings, services.clamd)
    const others = () => services.contributed(otherContents)
    let after: number | undefined = 0
    let endedAt = 0
    const closes = async (tx: Tx, heard: readonly { readonly actor: Actor | undefined }[]): Promise<boolean> => {
      const [actor] = heard.flatMap((one) => one.actor ?? [])
      const { inner } = actor === undefined ? await settings.current(tx) : accountOf(actor).settings
      return inner.scanner_required
    }
    return {
      handlers: scanningHandlers(scanner, others),
      reactions: [
        {
          to: 'item',
          async react(tx, heard) {
            // What the office server and co-editing write was inspected when it was brought in.
            const brought = heard.filter(({ call }) => call !== 'wopiPutFile')
            if (brought.length === 0 || !(await closes(tx, brought))) return
            await closeUninspected(
              tx,
              brought.map(({ change }) => change),
            )
          },
        },
        {
          to: 'settings',
          async react(tx, heard) {
            for (const { change, event } of heard) {
              const { before, after } = change
              const { scanner_required: isDemanded, scanner_address: address } = after.inner
              if (isDemanded && !before.inner.scanner_required && (scannerOf(address) ?? services.clamd) === undefined)
                fail('settingsContradict', {
                  zh: '请先设置病毒扫描器',
                  en: 'set a virus scanner first',
                })
              if (!before.inner.scanner_required || after.inner.scanner_required) continue
              for (const opened of await openAll(tx)) event(opened)
            }
          },
        },
      ],
      jobs: [scanJob({ db, contents: createCheckedContents(services), scanner, others })],
      readers: [
        {
          name: 'scan',
          kinds: ['item'],
          read: async (tx, events, at) => ((await scanner()) === undefined ? [] : scanNewContents(tx, events, at)),
        },
      ],
      chores: [
        {
          name: 'contents that nobody has scanned',
          everyMs: restEveryMs,
          async run() {
            if ((await scanner()) === undefined) {
              after = 0
              return
            }
            if (after === undefined && now() < endedAt + retryMs) return
            after = await scanExistingContents(db, others(), after ?? 0, now())
            if (after === undefined) endedAt = now()
          },
        },
      ],
    }
  },
})
