// @vitest-environment happy-dom
import type { ItemRecord } from '@cloudoc/contract'
import { itemStatus } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { en, zh } from '../../../../test/all-texts.ts'
import { type FakeApi, fakeApi } from '../../../../test/fake-api.ts'
import { act, cleanUp, element, render, screenText, until } from '../../../../test/render.tsx'
import { signInAs } from '../../../../test/session.ts'
import { addTexts } from '../../../core/i18n/i18n.ts'
import { sampleItem } from '../../../items/item/sample-item.ts'
import { notifyThumbnailReady } from '../../../items/item/thumbnail-updates.ts'
import { Row } from './row.tsx'
import { Tile } from './tile.tsx'
import type { TileVariant } from './use-grid-layout.ts'

addTexts(zh, en)

const now = new Date(2026, 10, 24, 12).getTime()
const tile = (item: ItemRecord, look: TileVariant): ReactNode => (
  <Tile
    item={item}
    look={look}
    index={0}
    top={0}
    left={0}
    width={200}
    height={160}
    sign={64}
    canPreview
    selected={false}
    focused={false}
    cut={false}
    editing={false}
    dropTarget={false}
    locale="zh"
    now={now}
    isTaken={() => false}
    onRename={() => Promise.resolve()}
    onEditEnd={() => undefined}
  />
)
const row = (item: ItemRecord): ReactNode => (
  <Row
    item={item}
    index={0}
    top={0}
    selected={false}
    focused={false}
    cut={false}
    editing={false}
    dropTarget={false}
    locale="zh"
    now={now}
    isTaken={() => false}
    onRename={() => Promise.resolve()}
    onEditEnd={() => undefined}
    columns={[]}
    look={undefined}
    canDrag
  />
)
const photo = (fId: number) => sampleItem({ fId, fName: '展台.png', fileSize: 2048, modifyTime: now - 3_600_000 })

let server: FakeApi
beforeEach(() => {
  server = fakeApi({
    getThumbnailURLs: ({ fileIdArray }) => ({
      list: (fileIdArray as number[]).map((fileId) => ({
        fileId,
        result: -1,
        msg: '',
        url: `/picture/${fileId}`,
        pages: fileId === 7 ? 12 : 0,
        lengthMs: 0,
      })),
    }),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await cleanUp()
  vi.unstubAllGlobals()
})

describe('a tile', () => {
  it('[R236] [R238] bears a star and the colours of its tags as its row does', async () => {
    signInAs(7)
    const tags = [{ tagId: 1, tagName: '紧急', colour: 'red' as const, company: false }]
    server.now({ getItemTags: { list: [{ fType: 1, fId: 9, tags }] } })
    await render(tile(sampleItem({ fId: 9, fName: 'a.docx', itemStatus: itemStatus('favorite') }), 'file'))
    await until(() => document.querySelector('.dr-tile-marks .dr-tag-dot.is-red') !== null)
    expect(document.querySelectorAll('.dr-tile-marks .dr-star').length).toBe(1)
  })

  // [R134] A row shows the check state as text, a tile as a sign.
  it('[R134] bears the badge of the check for sensitive words, which its row says in words', async () => {
    signInAs(7)
    server.now({ getItemTags: { list: [] } })
    const checked = (sensitive: number) => sampleItem({ fId: 9, fName: 'a.dat', extName: 'dat', sensitive })
    for (const [sensitive, words, more] of [
      [0, '', undefined],
      [1, '检测中', '敏感检测: 正在检测'],
      [2, '敏感', '敏感检测: 审核认定为敏感文件'],
    ] as const) {
      await render(tile(checked(sensitive), 'file'))
      expect(document.querySelector('.dr-sensitive')?.getAttribute('aria-label') ?? undefined).toBe(more)
      await render(row(checked(sensitive)))
      expect(document.querySelector('.dr-sensitive')?.textContent ?? '').toBe(words)
    }
  })

  it('is a card for a folder, a picture over name and time for a file, with who edits it, and in the gallery a picture', async () => {
    await render(tile(sampleItem({ fId: 1, fType: 2, fName: '合同', modifyTime: now - 3_600_000 }), 'card'))
    expect([document.querySelector('.dr-tile.is-card .dr-tile-picture'), screenText()]).toEqual([null, '合同11:00'])
    await cleanUp()
    const edited = sampleItem({ fId: 2, fName: 'a.docx', modifyTime: now - 3_600_000, editorId: 5, editorName: '陈晓' })
    await render(tile(edited, 'file'))
    expect(element('.dr-tile-picture').textContent).toContain('陈晓')
    expect(element('.dr-tile-words small').textContent).toBe('11:00')
    expect(document.querySelectorAll('.dr-tile-name svg').length).toBe(1)
    await cleanUp()
    await render(tile(photo(3), 'photo'))
    expect(element('.dr-tile-words small').textContent).toBe('2.0 KB')
    expect(document.querySelectorAll('.dr-tile-name svg').length).toBe(0)
  })

  // [R087] What follows scrolling waits 100 ms: pictures are requested, and the position is kept, when the list rests.
  it('[R087] asks for its picture 100 ms after the last scrolling, and not while it is scrolled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    await render(tile(photo(4), 'photo'))
    for (let n = 0; n < 20; n += 1) {
      document.dispatchEvent(new Event('scroll'))
      await act(async () => vi.advanceTimersByTime(20))
    }
    // 99 ms, and 30 ms in which the requests of a page are gathered.
    await act(async () => vi.advanceTimersByTime(79 + 30))
    expect(server.inputsOf('getThumbnailURLs')).toEqual([])
    await act(async () => vi.advanceTimersByTime(2))
    expect(server.inputsOf('getThumbnailURLs')).toHaveLength(1)
    vi.useRealTimers()
    await until(() => document.querySelector('img')?.getAttribute('src') === '/picture/4')
    expect(server.inputsOf('getThumbnailURLs')).toEqual([{ fileIdArray: [4] }])
  })

  it('[R169] says how many pages a document has, where that is known, and nothing where it is not', async () => {
    await render(tile(sampleItem({ fId: 7, fName: '手册.pdf', fileSize: 2048 }), 'file'))
    await until(() => document.querySelector('img')?.getAttribute('src') === '/picture/7')
    expect(element('.dr-content-sign').textContent).toBe('12 页')
    await cleanUp()
    await render(tile(sampleItem({ fId: 8, fName: '说明.docx', fileSize: 2048 }), 'file'))
    await until(() => document.querySelector('img')?.getAttribute('src') === '/picture/8')
    expect(document.querySelector('.dr-content-sign')).toBeNull()
  })

  // [R169] The tile of a video shows that it can be played (not its length).
  it('[R169] takes up the picture of a film that this browser has given, which had none', async () => {
    let isThere = false
    server.now({
      getThumbnailURLs: () => ({
        list: [
          {
            fileId: 6,
            result: isThere ? -1 : -205,
            msg: '',
            url: isThere ? '/picture/6' : '',
            pages: 0,
            lengthMs: isThere ? 3_725_000 : 0,
          },
        ],
      }),
    })
    await render(tile(sampleItem({ fId: 6, fName: '发布会.mp4', fileSize: 300 * 1024 * 1024 }), 'photo'))
    await until(() => server.inputsOf('getThumbnailURLs').length === 1)
    isThere = true
    await act(async () => {
      notifyThumbnailReady(5)
      notifyThumbnailReady(6)
    })
    await until(() => document.querySelector('img')?.getAttribute('src') === '/picture/6')
    expect(server.inputsOf('getThumbnailURLs')).toHaveLength(2)
    expect(element('.dr-content-sign').textContent).toBe('1:02:05')
    // The play icon is drawn over the picture.
    expect(document.querySelectorAll('.dr-film-sign')).toHaveLength(1)
  })
})
