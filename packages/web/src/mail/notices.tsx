// The presentation of notices about mail.
import { Mail20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'

export const notices = { emailReceived: { icon: () => <Mail20Regular /> } } satisfies Notices
