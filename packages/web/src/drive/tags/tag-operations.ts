// Changing the tags that there are: one's own, and those of the company for who administers it.
import type { Tag } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { forgetTags } from '../../items/labels/item-tags.ts'

export type CountedTag = Tag & { readonly count: number }

/** Does something to tags; false where that was refused, which is told. */
export async function tryTagChange(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    forgetTags()
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}

/** Whether the tags of the company are the person's to keep. */
export const useMayEditCompanyTags = (): boolean => useSession().permission.powers.includes('system')

/** Another name or colour. */
export const changeTag = (tag: Tag, to: Partial<Pick<Tag, 'tagName' | 'colour'>>): Promise<boolean> =>
  tryTagChange(() => {
    const { tagId, tagName, colour } = { ...tag, ...to }
    return tag.company ? api.saveCompanyTag({ tagId, tagName, colour }) : api.saveTag({ tagId, tagName, colour })
  })

/** Away with it, once that is confirmed. */
export async function removeTag(tag: CountedTag): Promise<boolean> {
  const text = t(tag.company ? 'tags.deleteCompany' : 'tags.deleteAsk', { name: tag.tagName, n: tag.count })
  if (!(await confirmBox({ text, ok: t('tags.delete'), danger: true }))) return false
  return tryTagChange(() =>
    tag.company ? api.deleteCompanyTag({ tagId: tag.tagId }) : api.tagDelMyList({ tagNames: [tag.tagName] }),
  )
}
