import type { ReactNode } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { Dismiss16Regular, Maximize16Regular, SquareMultiple16Regular, Subtract16Regular } from '../../kit/icons.ts'
import type { TitleButton } from '../bridge/window-bridge.ts'
import { useT } from '../i18n/i18n.ts'

interface TitleButtonsProps {
  readonly buttons: readonly TitleButton[]
  readonly maximized?: boolean
  readonly onPress: (button: TitleButton) => void
}

/** The buttons at the end of a title bar. */
export function TitleButtons({ buttons, maximized = false, onPress }: TitleButtonsProps): ReactNode {
  const t = useT()
  const looks = {
    minimize: { label: t('window.minimize'), icon: <Subtract16Regular /> },
    maximize: {
      label: t(maximized ? 'window.restore' : 'window.maximize'),
      icon: maximized ? <SquareMultiple16Regular /> : <Maximize16Regular />,
    },
    close: { label: t('box.close'), icon: <Dismiss16Regular /> },
  } as const
  return buttons.map((button) => (
    <IconButton key={button} className="window-button" {...looks[button]} onClick={() => onPress(button)} />
  ))
}
