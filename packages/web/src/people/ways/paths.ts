/** The pages of the ways to sign in, below /doc ([R048]). */
export const qrLoginPath = '/doc/qrCode-login'
export const smsLoginPath = '/doc/sms-login'
export const phoneTrailPath = '/doc/phoneTrail'
export const loginToWebPath = '/doc/login-to-web'
export const signInReturnPath = '/doc/sign-in-return'
/** Where a 455 leads (X22). */
export const activatePath = '/doc/activate'
export const bindingResultPath = '/doc/binding-result'
/** Tells the window that asked for a confirmation of the person that it is done. */
export const confirmedChannel = 'cloudoc-confirmed'
