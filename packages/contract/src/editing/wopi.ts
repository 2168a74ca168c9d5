// Co-editing on a WOPI office server ([R148], [R172], [R182]).
import { MultiEdit } from '@cloudoc/domain'
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Flag, Id, Time } from '../fields.ts'
import { WebAddress } from '../setting.ts'

const wopiCalls = {
  createEditKey: call({
    personOnly: true,
    summary: 'Issues a key to edit a file together with others, or with a program on the machine of the caller',
    title: { zh: '取得编辑密钥', en: 'Key for editing' },
    log: 'none',
    notes:
      'The key is the `access_token` of multiEditPage and of the WOPI addresses of the file. It is good for the session of the caller and for this file alone; their rights are asked with each use of it. With `local` it is a `loginKey` for a program of client type 64, which login3ByLoginKey takes once within a minute, for a session beside those that there are; `canWrite` is true then.',
    kind: 'write',
    method: 'GET',
    path: '/services2/edit/createEditKey/{fileId}',
    auth: 'required',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: input.local ? 'editHere' : 'openTogether' }],
    input: z.strictObject({ fileId: Id, local: Flag.default(false) }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      key: z.string(),
      /** Not in the spec: expiry of the token. */
      expiresAt: Time,
      /** Not in the spec: true if the caller can edit the file there, false for view only. */
      canWrite: z.boolean(),
    }),
    codes: [
      'notFound',
      'noPermission',
      'alreadyInProcess',
      'secretLevel',
      'virusFile',
      'officeNotSetUp',
      'conversionUnsupported',
      'sendingTooOften',
      'sandboxMissing',
    ],
  }),
  getWopiLockFileIdList: call({
    summary: 'Lists the files that several people edit now',
    notes: 'Of those that the caller may see, a thousand at most.',
    kind: 'read',
    method: 'GET',
    path: '/services2/edit/getWopiLockFileIdList',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(z.int()) }),
  }),
  multiEditPage: call({
    summary: 'Answers the page on which a file is edited together with others',
    title: { zh: '多人编辑', en: 'Edited by several' },
    notes: 'It leads to the page of the office server. `access_token` is a key of createEditKey, or a session.',
    answers: 'text/html',
    kind: 'stream',
    method: 'GET',
    path: '/services2/edit/multiEdit',
    auth: 'query',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'openTogether' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: [
      'notFound',
      'noPermission',
      'secretLevel',
      'virusFile',
      'officeNotSetUp',
      'officeNotUsable',
      'conversionUnsupported',
      'sandboxMissing',
    ],
  }),
  testOfficeServer: call({
    summary: 'Asks the office server what it edits, and says what is wrong where it does not answer as it should',
    title: { zh: '测试 Office 服务器', en: 'Test of the office server' },
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/testOfficeServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** Extensions that the office server can edit: those configured for co-editing, and all others. */
      edits: z.array(z.string()),
      others: z.int(),
    }),
    codes: ['officeNotSetUp', 'officeNotUsable'],
  }),
}

export const wopi = feature({
  about: { name: 'editing together', text: 'Files that several people edit at once' },
  calls: wopiCalls,
  settings: {
    setting: {
      /** 0: exclusive editing; 1: co-editing in the page; 2: co-editing on an office server. */
      multi_edit_type: z.int().min(0).max(2).default(MultiEdit.here),
    },
    inner: {
      /** URL of the office server as reached by browsers. */
      office_server: z.string().max(500).default(''),
    },
    administered: {
      multi_edit_type: {
        label: { zh: '多人同时编辑', en: 'Editing together' },
        note: {
          zh: '网页中：文本（txt、md、源代码等）、docx、xlsx 和 pptx 由多人同时编辑；csv 由一人在表格中编辑；Office 服务器：在它的页面中编辑。',
          en: 'In the page: several people edit texts (txt, md, source code), docx, xlsx and pptx at once, and one person edits a csv file in its grid; office server: on its pages.',
        },
        power: 'system',
        group: 'files',
        as: 'number',
        choices: ['editAlone', 'editInPage', 'editByOffice'],
        entered: z.enum(MultiEdit),
      },
      office_server: {
        label: { zh: 'Office 服务器地址', en: 'Address of the office server' },
        note: {
          zh: '支持 WOPI 的服务器（如 Collabora Online、OnlyOffice），浏览器与本服务器都要能访问。可多人编辑的扩展名在“多人编辑”中设置。',
          en: 'A server that speaks WOPI, such as Collabora Online or OnlyOffice; browsers and this server must both reach it. Which extensions are edited together is set in “Edited together”.',
        },
        power: 'system',
        group: 'files',
        as: 'address',
        entered: WebAddress,
      },
    },
  },
})
