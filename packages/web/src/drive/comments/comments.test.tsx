// @vitest-environment happy-dom
// Comments on the screen.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { CommentPane } from './comments.tsx'

beforeAll(loadSignedIn)
beforeEach(async () => {
  await setLocale('zh')
  signInAs(7)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const thread = {
  ...{ commentId: 1, userId: 7, accountName: '林夏', comment: '数字不对', grade: 0, version: 1, mentioned: [] },
  ...{ createTime: 1, editTime: null, deleted: false, mayEdit: true, mayDelete: true, replies: [] },
}

// [R379] A refused call of the product is shown with the caller's text in front of the text of the code.
it('[R379] a comment that cannot be deleted is shown with what failed in front of the reason', async () => {
  const server = fakeApi({
    getCommentList: { list: [thread], threads: 1, total: 1, grades: { count: 0, average: 0, each: [0, 0, 0, 0, 0] } },
    deleteComment: refused('noPermission'),
  })
  await render(<CommentPane item={{ serverId: 0, fId: 5, fType: 1, fName: '计划.docx' }} look="panel" />)
  await until(() => screenText().includes('数字不对'))
  await click(button('删除'))
  await until(() => screenText().includes('删除这条评论？'))
  await click(
    [...element('[role=alertdialog], [role=dialog]').querySelectorAll('button')].find(
      ({ textContent }) => textContent === '删除',
    ) ?? button('删除'),
  )
  await until(() => screenText().includes('评论没有删除：没有权限'))
  expect(server.inputsOf('deleteComment')).toHaveLength(1)
  expect(screenText()).toContain('数字不对')
})
