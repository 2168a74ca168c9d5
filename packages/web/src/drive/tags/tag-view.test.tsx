// @vitest-environment happy-dom
// The page of a tag: its name and colour are changed there by whose it is.
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, press, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { TagView } from './tag-view.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const own = { tagId: 3, tagName: '要紧', colour: 'red', company: false } as const
const company = { tagId: 4, tagName: '已归档', colour: 'grey', company: true } as const
const item = sampleItem({ fId: 8, fName: '渠道协议.docx' })

async function show(tagId: number) {
  signInAs(7)
  const server = fakeApi({
    getTagList: {
      list: [
        { ...own, count: 1 },
        { ...company, count: 1 },
      ],
    },
    getTagItems: { list: [item], total: 1, tags: [own] },
    getItemTags: { list: [{ fType: 1, fId: 8, tags: [own, company] }] },
    saveTag: { tagId: 3 },
  })
  await render(<TagView />, `/doc/folder/tag?tagIds=${tagId}`)
  await until(() => screenText().includes('渠道协议'))
  return server
}
// [R236] The page of a tag lets its owner change name and colour, and shows the other tags of each item.
test('[R236] a tag of one’s own is renamed on its page, and each item says what else it bears', async () => {
  const server = await show(3)
  await click(button('重命名'))
  await type('名称', '急事')
  expect(document.activeElement).toBe(element('.dr-tag-name-field'))
  await press('Enter')
  await until(() => server.inputsOf('saveTag').length === 1)
  expect(server.inputsOf('saveTag')).toEqual([{ tagId: 3, tagName: '急事', colour: 'red' }])
})

test('[R236] one of the company is not changed by who does not administer it', async () => {
  await show(4)
  expect(screenText()).toContain('管理标签')
  expect(screenText()).not.toContain('重命名')
  expect(screenText()).not.toContain('删除标签')
})

// [R236] Tagged items are sorted by change time or by a column, stored in the address.
test('[R236] what bears a tag stands by when it was changed, or as a head of its columns says', async () => {
  const server = await show(3)
  const orders = (): readonly unknown[] => server.inputsOf('getTagItems')
  expect(orders()[0]).toMatchObject({ sort: 'time', order: 'desc' })
  await click(button('名称'))
  await until(() => orders().length === 2)
  expect(orders()[1]).toMatchObject({ sort: 'name', order: 'asc' })
  await click(button('名称'))
  await until(() => orders().length === 3)
  expect(orders()[2]).toMatchObject({ sort: 'name', order: 'desc' })
})
