// Actions on departments. They ask for confirmation if users are affected, and can be undone where possible.
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { AdministrationScope } from '../shared/administration-scope.ts'
import { type Department, departmentsBelow, refetchOrganisation } from '../shared/organisation-queries.ts'
import type { DropPosition } from './department-tree.tsx'

const texts = () => ({
  alreadyExists: t('org.group.taken'),
  moveIntoSubfolder: t('org.group.circle'),
  sameFolder: t('org.group.same'),
})

/** Creates a child department. Returns its id. */
export async function createGroup(parent: Pick<Department, 'groupId' | 'groupName'>): Promise<void> {
  const made = await openWindow('organisation-name-group', {
    title: t('org.group.newIn', { name: parent.groupName }),
    name: '',
    of: { kind: 'newDepartment', parentId: parent.groupId },
  })
  if (made === undefined) return
  void refetchOrganisation()
  toast({ kind: 'success', text: t('org.group.created', { name: made.name }) })
}

export async function renameGroup({ groupId, groupName }: Department): Promise<void> {
  const { name } =
    (await openWindow('organisation-name-group', {
      title: t('org.group.rename'),
      name: groupName,
      of: { kind: 'department', groupId },
    })) ?? {}
  if (name === undefined || name === groupName) return
  void refetchOrganisation()
  const undo = (): void => void api.renameGroup({ groupId, groupName }).then(refetchOrganisation)
  toast({ kind: 'success', text: t('org.group.renamed', { name }), action: { text: t('org.undo'), run: undo } })
}

/** The permissions users gain and lose, as text; undefined if no user is affected. */
async function effectOf(groupId: number, parentId: number): Promise<string | undefined> {
  const { people, loses, gains } = await api.getGroupEffect({ groupId, parentId })
  if (people === 0 || loses.length + gains.length === 0) return undefined
  return [
    t('org.effect.people', { n: people }),
    ...(loses.length > 0 ? [t('org.effect.loses', { names: loses.join('、') })] : []),
    ...(gains.length > 0 ? [t('org.effect.gains', { names: gains.join('、') })] : []),
  ].join('\n')
}

/** Moves a department. If this changes the permissions of users, asks for confirmation first. */
export async function moveGroup(
  department: Department,
  parent: { groupId: number; name: string },
  beforeId = 0,
): Promise<void> {
  const { groupId, groupName, parentId } = department
  if (parentId !== parent.groupId) {
    const detail = await effectOf(groupId, parent.groupId)
    const text = t('org.move.ask', { name: groupName, to: parent.name })
    if (detail !== undefined && !(await confirmBox({ title: t('org.move'), text, detail, ok: t('org.move') }))) return
  }
  const before = await api.moveGroup({ groupId, parentId: parent.groupId, beforeId }, { texts: texts() })
  void refetchOrganisation()
  const undo = (): void => void api.moveGroup({ groupId, ...before }, { texts: texts() }).then(refetchOrganisation)
  const text =
    parentId === parent.groupId
      ? t('org.move.ordered', { name: groupName })
      : t('org.move.done', { name: groupName, to: parent.name })
  toast({ kind: 'success', text, action: { text: t('org.undo'), run: undo } })
}

const siblingsOf = async ({ parentId }: Department): Promise<readonly Department[]> =>
  (await queryClient.query(departmentsBelow(parentId))).list

/** Drops a department into, before or behind another one. */
export async function dropGroup(department: Department, target: Department, where: DropPosition): Promise<void> {
  if (where === 'in') return moveGroup(department, { groupId: target.groupId, name: target.groupName })
  const siblings = await siblingsOf(target)
  const others = siblings.filter(({ groupId }) => groupId !== department.groupId)
  const at = others.findIndex(({ groupId }) => groupId === target.groupId)
  const before = where === 'before' ? target : others[at + 1]
  const parent = target.path.split(' / ').at(-2) ?? ''
  return moveGroup(department, { groupId: target.parentId, name: parent }, before?.groupId ?? 0)
}

/** Moves a department up or down among its siblings. */
async function shift(department: Department, by: -1 | 1): Promise<void> {
  const siblings = await siblingsOf(department)
  const others = siblings.filter(({ groupId }) => groupId !== department.groupId)
  const at = siblings.findIndex(({ groupId }) => groupId === department.groupId) + by
  if (at < 0 || at >= siblings.length) return
  await moveGroup(department, { groupId: department.parentId, name: '' }, others[at]?.groupId ?? 0)
}

async function mergeGroup({ groupId, groupName }: Department): Promise<void> {
  const into = await openWindow('organisation-pick-group', {
    title: t('org.merge.title', { name: groupName }),
    ok: t('org.merge.next'),
    notId: groupId,
  })
  if (into === undefined) return
  const detail = [await effectOf(groupId, into.groupId), t('org.merge.detail')].filter(Boolean).join('\n')
  const text = t('org.merge.ask', { name: groupName, into: into.groupName })
  if (!(await confirmBox({ title: t('org.merge'), text, detail, ok: t('org.merge'), danger: true }))) return
  try {
    const { people } = await api.mergeGroup(
      { groupId, intoId: into.groupId },
      { texts: { ...texts(), alreadyExists: t('org.merge.clash') } },
    )
    toast({ kind: 'success', text: t('org.merge.done', { n: people, into: into.groupName }) })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    toast({ kind: 'error', text: error.message })
  }
  void refetchOrganisation()
}

async function moveByChoice(department: Department): Promise<void> {
  const to = await openWindow('organisation-pick-group', {
    title: t('org.move.title', { name: department.groupName }),
    ok: t('org.move'),
    notId: department.groupId,
  })
  if (to !== undefined) await moveGroup(department, { groupId: to.groupId, name: to.groupName })
}

export async function setManagers({ groupId, groupName }: Pick<Department, 'groupId' | 'groupName'>): Promise<void> {
  const { managers } = await api.getDepartment({ groupId })
  const picked = await openWindow('people-pick', {
    title: t('org.managers.title', { name: groupName }),
    ok: t('org.save'),
    picked: managers,
  })
  if (picked === undefined) return
  const save = (people: readonly { userId: number }[]) =>
    api.setGroupManagers({ groupId, userIds: people.map(({ userId }) => userId) })
  await save(picked)
  void refetchOrganisation()
  const undo = (): void => void save(managers).then(refetchOrganisation)
  toast({ kind: 'success', text: t('org.managers.done'), action: { text: t('org.undo'), run: undo } })
}

/** The menu entries of a department. The root and the top delegated departments cannot be moved. */
export function menuOfGroup(
  department: Department,
  { whole }: Pick<AdministrationScope, 'whole'>,
  tops: readonly Department[],
): MenuEntry[] {
  const isRoot = department.parentId === 0 || tops.some(({ groupId }) => groupId === department.groupId)
  return [
    { id: 'new', label: t('org.group.new'), run: () => void createGroup(department) },
    { id: 'rename', label: t('org.group.rename'), hint: 'F2', run: () => void renameGroup(department) },
    { id: 'managers', label: t('org.managers.set'), show: whole, run: () => void setManagers(department) },
    { separator: true },
    { id: 'move', label: t('org.move.to'), show: !isRoot, run: () => void moveByChoice(department) },
    { id: 'up', label: t('org.move.up'), show: !isRoot, run: () => void shift(department, -1) },
    { id: 'down', label: t('org.move.down'), show: !isRoot, run: () => void shift(department, 1) },
    { separator: true },
    {
      id: 'merge',
      label: t('org.merge.to'),
      show: !isRoot && whole,
      danger: true,
      run: () => void mergeGroup(department),
    },
  ]
}
