/** The variable that names the profile of a program. */
export const PROFILE_VARIABLE = 'BURSAR_PROFILE';
