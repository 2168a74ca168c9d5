// Notes on files.
import { fact, itemAddress } from '@cloudoc/domain'
import { z } from 'zod'
import { objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing } from '../fields.ts'
import { push } from '../push.ts'
import { file } from './items.ts'

interface FactsOfSticker {
  readonly isFresh: boolean
}
const stickerKind = objectKind<FactsOfSticker, 'takeOff'>('sticker', {
  takeOff: fact('fresh', ({ isFresh }) => isFresh, 'fileLocked'),
})

export const stickers = feature({
  calls: {
    stickOn: call({
      summary: 'stickOn',
      title: { zh: '贴便签', en: 'Stick a note on' },
      sample: ({ fileId }) => ({ fileId }),
      log: 'none',
      kind: 'write',
      method: 'POST',
      path: '/services2/stickers/stickOn/{fileId}',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      gate: ({ fileId }) => [{ item: file(fileId), action: 'see', lock: 'hold' }],
      input: z.strictObject({ fileId: Id }),
      data: Nothing,
    }),
    takeOff: call({
      summary: 'takeOff',
      title: { zh: '揭便签', en: 'Take a note off' },
      sample: ({ fileId }) => ({ fileId }),
      log: 'none',
      kind: 'write',
      method: 'POST',
      path: '/services2/stickers/takeOff/{fileId}',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      gate: ({ fileId }) => [on(stickerKind, fileId, 'takeOff', 'change')],
      input: z.strictObject({ fileId: Id }),
      data: Nothing,
    }),
  },
  objects: { sticker: stickerKind },
  pushes: {
    stuck: push({
      type: 9101,
      summary: 'stuck',
      delivery: 'confirmed',
      notice: {
        group: 'reminder',
        key: ({ fileId }) => `sticker ${fileId}`,
        merge: 'later',
        item: ({ fileId }) => ({ fType: 1, fId: fileId }),
        sentence: ({ fileId }) => ({
          zh: '有人在文件 {id} 上贴了便签',
          en: 'Somebody stuck a note on the file {id}',
          values: { id: String(fileId) },
        }),
        path: ({ serverId, fileId }) => itemAddress({ serverId, fType: 1, fId: fileId }),
      },
      payload: z.strictObject({ serverId: z.int(), remindId: z.int(), fileId: z.int() }),
    }),
  },
  settings: { setting: { sticker_days: z.int().min(0).default(7) } },
})
