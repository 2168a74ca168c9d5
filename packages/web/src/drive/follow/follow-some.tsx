// Chooses whose changes or downloads of an item are followed: those of some people and departments, or everybody's
// ([R239]).
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import type { Followed } from '../../items/lists/ordered-source.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'

export interface FollowSomeProps {
  readonly kind: 'change' | 'download'
  /** The names of the items. */
  readonly names: readonly string[]
  /** Whose actions are followed now. */
  readonly followed: Followed
}

/** Lets the user choose people and departments. Returns the selection; an empty one means everybody. */
export function FollowSome(props: WindowProps<FollowSomeProps, Subject[]>): ReactNode {
  const { kind, names, followed, close, setDirty } = props
  const t = useT()
  const [chosen, setChosen] = useState<readonly Subject[]>(() => [
    ...followed.followedGroups.map(({ groupId, name }) => ({ type: 'group', id: groupId, name }) as const),
    ...followed.followedUsers.map(({ userId, name }) => ({ type: 'user', id: userId, name }) as const),
  ])
  const [first = ''] = names
  return (
    <>
      <DialogBody>
        <p>
          {names.length === 1
            ? t(`drive.follow.whoseOf.${kind}`, { name: first })
            : t(`drive.follow.whoseMany.${kind}`, { n: names.length })}
        </p>
        <SubjectField
          label={t('drive.follow.whose')}
          types="userOrGroup"
          autoFocus
          chosen={chosen}
          onChange={(subjects) => {
            setChosen(subjects)
            setDirty(true)
          }}
        />
        <p>{t('drive.follow.everybodyHint')}</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" onClick={() => close([...chosen])}>
          {chosen.length === 0 ? t('drive.follow.everybodyDo') : t('drive.follow.do')}
        </Button>
      </DialogFooter>
    </>
  )
}
