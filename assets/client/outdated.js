// Whether the page still shows what the person may see and do. A page that does not is opened again (`reopen.js`).

export const pageState = {
  // The server answers 404 for the page. The page shows the error page in place of its content.
  isMissing: false,
  // The page is out of date, and is opened again when the person presses a button.
  isOutdated: false,
};

let reopenOutdated = null;

// Sets the function that opens the page again.
export const setReopen = (act) => { reopenOutdated = act; };

// Opens the page again, so that it shows what the person may see and do now.
export const openAgain = () => reopenOutdated();
