// Contact groups: private lists of people ([R300]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, text } from '../fields.ts'
import { reading, TalkPerson, writing } from './fields.ts'

const Name = text(limits.longestContactGroup).refine((name) => name.trim() !== '', 'a name')
const people = { userIdArray: z.array(Id).max(1000) }
const codes = ['notFound', 'alreadyExists', 'badRequest'] as const
const one = { contactGroupId: Id.describe('The contact group.') }

export const talkContacts = feature({
  about: { name: 'contacts', text: 'Contact groups of a person' },
  switchedBy: 'talk',
  calls: {
    getContactGroups: call({
      ...reading,
      summary: 'Lists the contact groups of the caller with their members',
      path: '/im/api/contactGroup/list',
      payload: 'none',
      guard: accountHolder,
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(z.strictObject({ contactGroupId: z.int(), name: z.string(), members: z.array(TalkPerson) })),
      }),
    }),
    saveContactGroup: call({
      ...writing,
      summary: 'Makes a contact group, or renames one',
      title: { zh: '保存联系人分组', en: 'Contact group saved' },
      audits: ['contactGroupId', 'userIdArray'],
      path: '/im/api/contactGroup/save',
      guard: accountHolder,
      input: z.strictObject({
        contactGroupId: Id.optional().describe('The contact group to change; a new one if absent.'),
        name: Name,
        userIdArray: people.userIdArray.optional(),
      }),
      sample: (ids) => ({ name: '常用', userIdArray: [ids.userId] }),
      data: z.strictObject({ contactGroupId: z.int() }),
      codes,
    }),
    deleteContactGroup: call({
      ...writing,
      summary: 'Deletes a contact group',
      title: { zh: '删除联系人分组', en: 'Contact group deleted' },
      audits: ['contactGroupId'],
      path: '/im/api/contactGroup/delete',
      guard: accountHolder,
      input: z.strictObject(one),
      sample: () => ({ contactGroupId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    addContactGroupAccounts: call({
      ...writing,
      summary: 'Adds people to a contact group',
      title: { zh: '分组添加联系人', en: 'Contacts added to a group' },
      audits: ['contactGroupId', 'userIdArray'],
      path: '/im/api/contactGroup/addAccounts',
      guard: accountHolder,
      input: z.strictObject({ ...one, ...people }),
      sample: (ids) => ({ contactGroupId: 1, userIdArray: [ids.userId] }),
      data: Nothing,
      codes: ['notFound'],
    }),
    deleteContactGroupAccounts: call({
      ...writing,
      summary: 'Removes people from a contact group',
      title: { zh: '分组移除联系人', en: 'Contacts removed from a group' },
      audits: ['contactGroupId', 'userIdArray'],
      path: '/im/api/contactGroup/deleteAccounts',
      guard: accountHolder,
      input: z.strictObject({ ...one, ...people }),
      sample: (ids) => ({ contactGroupId: 1, userIdArray: [ids.userId] }),
      data: Nothing,
      codes: ['notFound'],
    }),
  },
})
