// Items whose downloads need an application by a rule stay where the rule applies: elsewhere they could be downloaded
// without one ([R145]).
import { type Facts, fail } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'

/** Whether an item would leave the scope of a rule that binds the caller. */
export const isLeaving = ({ downloadByApplication }: Facts, isTargetControlled: boolean): boolean =>
  downloadByApplication && !isTargetControlled

/** Refuses to move or copy an item out of the scope of a rule that binds the caller. */
export function checkControlled(source: Access, target: Access): void {
  if (isLeaving(source.facts, target.facts.downloadByApplication))
    fail('noPermission', {
      zh: '这里的文件下载要审批，不能移动或复制到不受管控的位置',
      en: 'downloads here need an application: the item cannot be moved or copied to where they do not',
    })
}
