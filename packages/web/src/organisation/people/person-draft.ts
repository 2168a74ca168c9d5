// The fields of a user while they are edited.
import type { PersonInfo } from '../shared/organisation-queries.ts'

/** The values of the fields. */
export const draftOf = (person: PersonInfo) => ({
  accountName: person.accountName,
  account: person.account,
  title: person.title,
  email: person.email,
  phone: person.phone,
  group: { groupId: person.groupId, path: person.groupPath },
  others: person.otherGroups,
  secretLevel: person.secretLevel,
  quota: person.quota,
  expireTime: person.expireTime,
  roleIds: person.roles.map(({ roleId }) => roleId),
})
export type PersonDraft = ReturnType<typeof draftOf>

/** The fields in the form the call takes. */
export const inputOf = (draft: PersonDraft) => ({
  accountName: draft.accountName,
  account: draft.account,
  title: draft.title,
  email: draft.email,
  phone: draft.phone,
  groupId: draft.group.groupId,
  otherGroupIds: draft.others.map(({ groupId }) => groupId),
  secretLevel: draft.secretLevel,
  quota: draft.quota,
  expireTime: draft.expireTime === 0 ? null : draft.expireTime,
  roleIds: draft.roleIds.toSorted((a, b) => a - b),
})
