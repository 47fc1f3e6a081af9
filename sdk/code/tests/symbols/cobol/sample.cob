       IDENTIFICATION DIVISION.
       PROGRAM-ID. CART.
      * What people buy.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-TOTAL      PIC 9(5).
       77  WS-LIMIT      PIC 9(2) VALUE 10.
           COPY ITEMS.
       PROCEDURE DIVISION.
       MAIN-SECTION SECTION.
       START-UP.
           PERFORM ADD-ITEMS.
           STOP RUN.
      * Adds up.
       ADD-ITEMS.
           ADD 1 TO WS-TOTAL.
           DISPLAY "FAKE-NAME.".
           EXIT.
