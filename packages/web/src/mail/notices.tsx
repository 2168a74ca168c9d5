// The presentation of notices about mail.

import type { Notices } from '../core/area/area.ts'
import { Mail20Regular } from '../kit/icons.ts'

export const notices = { emailReceived: { icon: () => <Mail20Regular /> } } satisfies Notices
