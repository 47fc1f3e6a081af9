unit Cart;

interface

uses SysUtils, Classes;

type
  TMoney = type Integer;
  { What people buy. }
  TItem = record
    Price: Integer;
  end;

  TCart = class(TObject)
  private
    FItems: TList;
  public
    constructor Create;
    function Total: Integer;
    property Items: TList read FItems;
  end;

procedure Reset;

implementation

constructor TCart.Create;
begin
  FItems := TList.Create;
end;

// Adds up.
function TCart.Total: Integer;
var
  I: Integer;
begin
  for I := 0 to 3 do
  begin
    WriteLn('procedure Fake;');
  end;
  Result := 0;
end;

procedure Reset;
begin
end;

end.
